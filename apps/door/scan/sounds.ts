import type { Tone } from './tone.ts';

/** Sounds, generated so that no file is needed, and vibration where the phone has it. */

type Note = [start: number, length: number, hertz: number];

const NOTES: Readonly<Record<Tone, readonly Note[]>> = {
  yes: [[0, 0.12, 1320]],
  ask: [
    [0, 0.12, 740],
    [0.18, 0.12, 740],
  ],
  no: [[0, 0.5, 196]],
  quiet: [],
};

const VIBRATIONS: Readonly<Record<Tone, number[]>> = { yes: [60], ask: [80, 60, 80], no: [300], quiet: [] };

let audio: AudioContext | undefined;

/** Lets the browser make sounds; only a tap may do this. */
export function allowSounds(): void {
  audio ??= new AudioContext();
  void audio.resume();
}

/** @param volume 0 to 3 */
export function play(tone: Tone, volume: number): void {
  navigator.vibrate?.(VIBRATIONS[tone]);
  if (!audio || volume === 0) return;
  // Phones suspend it with the screen.
  void audio.resume();
  for (const [start, length, hertz] of NOTES[tone]) {
    const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
    const from = audio.currentTime + start;
    oscillator.type = tone === 'no' ? 'sawtooth' : 'sine';
    oscillator.frequency.value = hertz;
    gain.gain.setValueAtTime(volume / 3, from);
    // An abrupt end would click.
    gain.gain.exponentialRampToValueAtTime(0.001, from + length);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(from);
    oscillator.stop(from + length);
  }
}
