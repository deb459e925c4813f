// The sound and vibration of a verdict, and the wake lock that keeps the screen on.

const YES = { tones: [[660, 0.14], [990, 0.3]], kind: "sine", loud: 0.4, felt: [120] };
const NO = { tones: [[220, 0.28], [147, 0.5]], kind: "sawtooth", loud: 0.25, felt: [300, 120, 300] };
const FADE = 0.02;
let audio = null;

/** Make the audio ready; browsers allow this only in answer to a key or touch. */
export function prepareSound() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

/** Signal a yes by two rising tones and one short vibration, a no by two low tones and two long vibrations. */
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

/** Keep the screen on while this page is visible, where the browser and its battery allow it. */
export function keepAwake() {
  const request = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", request);
  request();
}
