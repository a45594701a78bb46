// Sounds of the tournament clock, made by the browser: no file, and silent until switched on.

const GAIN = 0.25;

/** @typedef {import("./clock_calls.js").Call} Call */
// Each tone: frequency in Hz, start and length in seconds.
/** @type {Record<Call, [number, number, number][]>} */
const TONES = {
  level: [
    [523, 0, 0.25],
    [659, 0.25, 0.25],
    [784, 0.5, 0.6],
  ],
  break: [
    [784, 0, 0.35],
    [523, 0.4, 0.8],
  ],
  play: [
    [523, 0, 0.2],
    [784, 0.25, 0.6],
  ],
  last_minute: [
    [880, 0, 0.15],
    [880, 0.3, 0.15],
  ],
};

export class Chimes extends EventTarget {
  /** @type {AudioContext | null} */
  #audio = null;

  get on() {
    return this.#audio?.state === "running";
  }

  // A browser lets a page sound only after a click in it.
  async switch() {
    if (this.on) await this.#audio?.suspend();
    else {
      this.#audio ??= this.#opened();
      await this.#audio.resume();
      this.sound("last_minute");
    }
  }

  /** @param {Call} call */
  sound(call) {
    const audio = this.#audio;
    if (!audio || !this.on) return;
    for (const [frequency, starts, lasts] of TONES[call]) {
      const at = audio.currentTime + starts;
      const volume = audio.createGain();
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(GAIN, at + 0.02);
      volume.gain.linearRampToValueAtTime(0, at + lasts);
      volume.connect(audio.destination);
      const tone = new OscillatorNode(audio, { frequency, type: "triangle" });
      tone.connect(volume);
      tone.start(at);
      tone.stop(at + lasts);
    }
  }

  // The browser itself may stop the sound: another program takes the loudspeaker, the page sleeps.
  #opened() {
    const audio = new AudioContext();
    audio.addEventListener("statechange", () => this.dispatchEvent(new Event("change")));
    return audio;
  }
}
