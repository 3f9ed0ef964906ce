// Playing: exactly the part that is drawn, cut out of the recording's samples; the time that is heard comes from the media clock.

/** Times faster than the recording. The pitch moves with it. */
export const SPEEDS = [1 / 20, 1 / 10, 1 / 5, 1 / 2, 1, 2, 4, 8, 16];

export function speedText(speed) {
  return speed === 1 ? "1 ×" : speed < 1 ? `÷ ${Number((1 / speed).toFixed(1))}` : `× ${Number(speed.toFixed(1))}`;
}

/** The parts of a WAV file: { rate, channels, frameBytes, format (bytes), data (bytes) }. */
export function parseWave(buffer) {
  const view = new DataView(buffer);
  const name = (at) => String.fromCharCode(...new Uint8Array(buffer, at, 4));
  if (buffer.byteLength < 12 || name(0) !== "RIFF") { throw new Error("The sound is not a WAV file."); }
  let format = null;
  for (let at = 12; at + 8 <= buffer.byteLength;) {
    const size = view.getUint32(at + 4, true);
    if (name(at) === "fmt ") { format = at; }
    if (name(at) === "data" && format !== null) {
      const length = Math.min(size, buffer.byteLength - at - 8);
      return {
        channels: view.getUint16(format + 10, true), rate: view.getUint32(format + 12, true), frameBytes: view.getUint16(format + 20, true),
        format: new Uint8Array(buffer, format, 8 + view.getUint32(format + 4, true)), data: new Uint8Array(buffer, at + 8, length),
      };
    }
    at += 8 + size + (size & 1);
  }
  throw new Error("The sound has no samples.");
}

/** What browsers take: times faster, and rates of WAV files. Chromium plays a higher rate as 192 kHz. */
const SLOWEST = 0.0625;
const FASTEST = 16;
const [LOW, HIGH] = [3000, 192000];

/** The rate that the copy's header names. A browser drops what is above its own band before it slows down: so slow sound is declared slow. */
export function declaredRate(rate, speed) {
  return Math.max(LOW, Math.min(HIGH, Math.round(rate * speed)));
}

/** The speed that a recording is played at: the nearest to the chosen one that browsers can play. */
export function possibleSpeed(rate, speed) {
  const stretch = declaredRate(rate, speed) / rate;
  return Math.max(SLOWEST * stretch, Math.min(FASTEST * stretch, speed));
}

function waveOf(wave, from, to, rate) {
  const data = wave.data.subarray(from * wave.frameBytes, to * wave.frameBytes);
  const head = new Uint8Array(12 + wave.format.length + 8);
  const view = new DataView(head.buffer);
  const put = (at, text) => [...text].forEach((letter, i) => { head[at + i] = letter.charCodeAt(0); });
  put(0, "RIFF");
  view.setUint32(4, head.length - 8 + data.length, true);
  put(8, "WAVE");
  head.set(wave.format, 12);
  view.setUint32(12 + 12, rate, true);
  view.setUint32(12 + 16, rate * wave.frameBytes, true);
  put(12 + wave.format.length, "data");
  view.setUint32(12 + wave.format.length + 4, data.length, true);
  return new Blob([head, data], { type: "audio/wav" });
}

export class Player {
  constructor(element, changed) {
    this.element = element;
    this.changed = changed;
    this.speed = 1;
    this.loop = false;
    this.band = null;
    /** What is loaded: { sound, from, to (s in the clip), first (s), stretch, wanted and speed }. */
    this.part = null;
    this.address = null;
    for (const event of ["play", "pause", "ended"]) { element.addEventListener(event, () => changed(event)); }
    element.addEventListener("error", () => { if (element.src) { changed("error"); } });
  }

  get playing() { return this.part !== null && !this.element.paused && !this.element.ended; }

  /** sound: { wave, firstTime } of a clip. Plays from `from` up to `to`, from `at` on; times are those of the clip. */
  async play(owner, sound, from, to, at) {
    const { wave, firstTime } = sound;
    const frames = Math.floor(wave.data.length / wave.frameBytes);
    const begin = Math.max(0, Math.min(frames, Math.round((from - firstTime) * wave.rate)));
    const end = Math.max(begin, Math.min(frames, Math.round((to - firstTime) * wave.rate)));
    if (end - begin < 1) { throw new Error("There is nothing to play here."); }
    const declared = declaredRate(wave.rate, this.speed);
    this.load(waveOf(wave, begin, end, declared));
    this.part = {
      owner,
      sound,
      from,
      to,
      first: firstTime + begin / wave.rate,
      last: firstTime + end / wave.rate,
      stretch: declared / wave.rate,
      wanted: this.speed,
      speed: possibleSpeed(wave.rate, this.speed),
    };
    this.element.loop = this.loop;
    this.element.preservesPitch = false;
    this.element.defaultPlaybackRate = this.element.playbackRate =
      Math.max(SLOWEST, Math.min(FASTEST, this.part.speed / this.part.stretch));
    const offset = at === undefined ? 0 : (at - this.part.first) / this.part.stretch;
    if (offset > 0) { this.element.currentTime = offset; }
    this.setBand(this.band);
    await this.element.play();
  }

  load(blob) {
    if (this.address) { URL.revokeObjectURL(this.address); }
    this.address = URL.createObjectURL(blob);
    this.element.src = this.address;
  }

  /** The time in the clip that is heard now. */
  now() {
    return this.part ? Math.min(this.part.last, this.part.first + this.element.currentTime * this.part.stretch) : NaN;
  }

  pause() { this.element.pause(); }

  async resume() {
    this.context?.resume();
    await this.element.play();
  }

  seek(time) {
    if (this.part) { this.element.currentTime = Math.max(0, (time - this.part.first) / this.part.stretch); }
  }

  stop() {
    this.element.pause();
    this.part = null;
  }

  setLoop(loop) {
    this.loop = loop;
    this.element.loop = loop;
  }

  /** Only a band is heard: two second-order filters at each edge. null is everything. */
  setBand(band) {
    this.band = band;
    if (!band && !this.context) { return; }
    if (!this.context) { this.connect(); }
    this.context.resume();
    const highest = this.context.sampleRate / 2 - 1;
    const speed = this.part?.speed ?? this.speed;
    this.low.forEach((filter) => { filter.frequency.value = band ? Math.min(highest, band[1] * speed) : highest; });
    this.high.forEach((filter) => { filter.frequency.value = band ? Math.min(highest, Math.max(0, band[0] * speed)) : 0; });
    this.source.disconnect();
    this.source.connect(band ? this.high[0] : this.context.destination);
  }

  connect() {
    this.context = new AudioContext();
    this.source = this.context.createMediaElementSource(this.element);
    const filters = (type) => [0.54, 1.31].map((Q) => new BiquadFilterNode(this.context, { type, Q: 20 * Math.log10(Q) }));
    this.high = filters("highpass");
    this.low = filters("lowpass");
    const chain = [...this.high, ...this.low];
    chain.forEach((filter, i) => filter.connect(chain[i + 1] ?? this.context.destination));
  }
}
