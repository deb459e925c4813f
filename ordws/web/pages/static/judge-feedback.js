// How a verdict is heard and felt, and what keeps the screen from going dark.

const YES = { tones: [[660, 0.14], [990, 0.3]], kind: "sine", loud: 0.4, felt: [120] };
const NO = { tones: [[220, 0.28], [147, 0.5]], kind: "sawtooth", loud: 0.25, felt: [300, 120, 300] };
const FADE = 0.02;
let audio = null;

/** Make ready to sound; browsers allow it in answer to a key or touch alone. */
export function prepareSound() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

/** Two rising tones and one short vibration for a yes; two low ones and two long vibrations for a no. */
export function signalVerdict(isYes, { sound, vibration }) {
  const { tones, kind, loud, felt } = isYes ? YES : NO;
  if (sound && audio) play(tones, kind, loud);
  if (vibration) navigator.vibrate?.(felt);
}

function play(tones, kind, loud) {
  let at = audio.currentTime;
  for (const [hertz, seconds] of tones) {
    const tone = new OscillatorNode(audio, { type: kind, frequency: hertz });
    const volume = new GainNode(audio, { gain: loud });
    volume.gain.setValueAtTime(loud, at + seconds - FADE);
    volume.gain.linearRampToValueAtTime(0, at + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}

/** Keep the screen on for as long as this page is seen, where the browser and its battery allow it. */
export function keepAwake() {
  const request = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", request);
  request();
}
