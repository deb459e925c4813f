// The quiet sounds of the table: a tile laid, a move of somebody else, one's own turn, one minute left. They are made
// here, without a file, and can be switched off on this device.

const OFF = "ordws.play.quiet";
const FADE = 0.03;
const SOUNDS = {
  tile: { notes: [[190, 0.04]], type: "triangle", gain: 0.12 },
  moved: { notes: [[392, 0.09]], type: "sine", gain: 0.1 },
  turn: { notes: [[523, 0.09], [784, 0.16]], type: "sine", gain: 0.12 },
  off: { notes: [[247, 0.12], [185, 0.2]], type: "triangle", gain: 0.12 },
  low: { notes: [[880, 0.08], [880, 0.08]], type: "sine", gain: 0.08 },
};
let audio = null;

export function isQuiet() {
  return localStorage.getItem(OFF) !== null;
}

export function setQuiet(quiet) {
  if (quiet) localStorage.setItem(OFF, "yes");
  else localStorage.removeItem(OFF);
}

/** Allow sounds from the first key or touch on, as browsers want it; making them ready takes a while. */
export function prepareSound(root, signal) {
  const wake = () => {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  };
  // A player who has promised on this page has touched it before a tile is dragged.
  if (navigator.userActivation?.hasBeenActive) wake();
  else for (const type of ["pointerup", "keydown"]) root.addEventListener(type, wake, { signal, once: true });
  signal.addEventListener("abort", () => {
    audio?.close();
    audio = null;
  });
}

/** Play one of the sounds, where they are on. @param {keyof SOUNDS} name */
export function playSound(name) {
  if (audio?.state !== "running" || isQuiet()) return;
  const { notes, type, gain } = SOUNDS[name];
  let at = audio.currentTime;
  for (const [frequency, seconds] of notes) {
    const tone = new OscillatorNode(audio, { type, frequency }), volume = new GainNode(audio, { gain });
    volume.gain.setValueAtTime(gain, at);
    volume.gain.linearRampToValueAtTime(0, at + seconds + FADE);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + seconds + FADE);
    at += seconds;
  }
}
