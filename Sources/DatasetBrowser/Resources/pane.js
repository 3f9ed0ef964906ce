// One clip: its picture, waveform and lanes, what is selected in it, and what is played of it.
import { decimals, find, hertz, make, say, seconds } from "./elements.js";
import { bytes, floats, json } from "./server.js";
import { Drawing, lanesOf, linearBands, Raster, storedBands } from "./picture.js";
import { parseWave } from "./sound.js";

const LEFT = 58;
const RIGHT = 10;
const LANE = 15;
/** Recordings of more bytes are not loaded whole to be played. The server sends one channel, four bytes a sample, and refuses more than 2²⁵ samples. */
const LARGEST = 128e6;

export class Pane {
  constructor(parent, app) {
    this.app = app;
    this.row = -1;
    this.title = make("h2", {});
    this.labels = make("span", { class: "pane-labels" });
    this.readout = make("span", { class: "readout" });
    this.base = make("canvas", { role: "img", "aria-label": "No clip" });
    this.overlay = make("canvas", { class: "overlay", "aria-hidden": "true" });
    this.message = make("p", { class: "stage-message", hidden: true });
    this.stage = make("div", { class: "stage" }, this.base, this.overlay, this.message);
    this.element = make("section", { class: "pane", "aria-label": "Clip" },
      make("div", { class: "pane-head" }, this.title, this.labels, this.readout), this.stage);
    parent.append(this.element);
    this.drawing = new Drawing(this.base, app.colors);
    this.over = new Drawing(this.overlay, app.colors);
    this.reset();
    new ResizeObserver(() => this.draw()).observe(this.stage);
    this.listen();
  }

  reset() {
    this.abort?.abort();
    this.abort = new AbortController();
    this.details = null;
    this.raster = null;
    this.wave = null;
    this.whole = null;
    this.sound = null;
    this.range = null;
    this.time = [0, 1];
    this.full = [0, 1];
    this.selection = null;
    this.position = null;
    this.cursor = null;
    this.errors = {};
    this.ready = Promise.resolve();
  }

  // Loading

  open(row, { part = null, selection = null } = {}) {
    this.reset();
    this.row = row;
    const { columns } = this.app;
    this.describe();
    const duration = columns.duration[row];
    this.full = this.time = [0, Number.isFinite(duration) ? duration : 1];
    this.draw();
    if (row < 0) { return this.ready; }
    this.ready = this.load(this.abort.signal, part, selection).catch((error) => {
      if (error.name !== "AbortError") { this.fail("clip", error.message); }
    });
    return this.ready;
  }

  async load(signal, part, selection) {
    // While a key is held, clips pass quickly: they are not requested.
    await new Promise((resolve) => setTimeout(resolve, this.app.hurry() ? 120 : 0));
    signal.throwIfAborted();
    this.details = await json(`/api/clips/${this.row}`, { signal });
    this.app.known(this.row, this.details);
    this.describe();
    const { duration } = this.details;
    const context = this.hasSound ? this.app.settings.context : 0;
    const length = Number.isFinite(duration) && duration > 0 ? duration : 1;
    this.full = [-Math.min(context, this.details.start ?? 0), length + Math.min(context, this.afterEnd(length))];
    this.time = part ? this.clampTime(part) : this.full.slice();
    this.selection = selection;
    this.draw();
    await Promise.all([this.loadPicture(signal), this.loadWave(signal)]);
    if (!signal.aborted) { this.app.loaded(this); }
  }

  /** Seconds of the recording after the clip's end. */
  afterEnd(length) {
    const whole = this.details.recording?.duration;
    return Number.isFinite(whole) ? Math.max(0, whole - (this.details.start ?? 0) - length) : 0;
  }

  get hasSound() { return this.details?.recording?.found === true && Number.isFinite(this.details.duration); }

  get isStored() { return this.app.picture !== "recording" && this.row < this.app.dataset.clips && this.app.dataset.kind === "features"; }

  get units() {
    const { units } = this.app.dataset;
    return this.app.picture === "undone" ? units.replace(/^(zscore|minmax|mean|range) of |^normalised /, "") : units;
  }

  /** Points of the spectrogram's window. */
  get windowSize() {
    const rate = this.details?.sampleRate ?? 44100;
    return this.app.settings.size || Math.max(64, Math.min(8192, 2 ** Math.round(Math.log2(rate * 0.023))));
  }

  /** The address of a part of the recording; before and after are negative for a part inside the clip. */
  partQuery([t0, t1]) {
    return `before=${(-t0).toFixed(6)}&after=${(t1 - this.details.duration).toFixed(6)}`;
  }

  async loadPicture(signal) {
    const { dataset } = this.app;
    try {
      if (this.isStored) {
        const zoomed = this.time[1] - this.time[0] < 0.999 * this.details.duration;
        const part = zoomed ? `&from=${this.time[0].toFixed(6)}&to=${this.time[1].toFixed(6)}` : "";
        const undo = this.app.picture === "undone" ? "&undo=1" : "";
        const { values, number } = await floats(`/api/clips/${this.row}/values?frames=2000${undo}${part}`, signal);
        this.takeRaster(values, number, storedBands(number("X-Bins"), dataset.frequency, dataset.frequencyScale));
        this.raster.stored = true;
        this.raster.units = this.units;
      } else {
        if (!this.hasSound) { throw new Error(this.details.recording?.message || "The recording was not found."); }
        const { values, number } = await floats(
          `/api/clips/${this.row}/spectrogram?${this.partQuery(this.time)}&size=${this.windowSize}&frames=2000`,
          signal,
        );
        this.takeRaster(values, number, linearBands(number("X-Bins"), number("X-Nyquist")));
        this.raster.units = "dB";
      }
      this.loadedPart = this.time.slice();
      this.fail("picture", "");
    } catch (error) {
      if (error.name === "AbortError") { return; }
      this.raster = null;
      this.fail("picture", error.message);
    }
    if (!signal.aborted) { this.describe(); this.draw(); }
  }

  takeRaster(values, number, bands) {
    const rows = number("X-Rows");
    this.raster = new Raster({
      values,
      rows,
      bins: number("X-Bins"),
      period: number("X-Row-Period"),
      first: number("X-First-Time"),
      bands,
    });
    this.range = null;
  }

  async loadWave(signal) {
    if (!this.hasSound) { return; }
    try {
      const { values, number } = await floats(`/api/clips/${this.row}/waveform?${this.partQuery(this.time)}&columns=1200`, signal);
      this.wave = { values, first: number("X-First-Time"), period: number("X-Column-Period") };
      // The bar above shows everything: the part that is drawn is a window in it.
      if (!this.whole || this.time[1] - this.time[0] >= (this.full[1] - this.full[0]) * 0.999) { this.whole = this.wave; }
      if (this.whole === this.wave && this.time[1] - this.time[0] < (this.full[1] - this.full[0]) * 0.999) {
        const all = await floats(`/api/clips/${this.row}/waveform?${this.partQuery(this.full)}&columns=1200`, signal);
        this.whole = { values: all.values, first: all.number("X-First-Time"), period: all.number("X-Column-Period") };
      }
      this.peak = Math.max(0.001, this.whole.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0));
    } catch (error) {
      if (error.name === "AbortError") { return; }
      this.fail("wave", error.message);
    }
    if (!signal.aborted) { this.draw(); }
  }

  fail(what, text) {
    this.errors[what] = text;
    const failure = this.row >= 0 && this.app.columns.isFailure(this.row) ? `This clip failed. ${this.app.columns.reasons(this.row)}` : "";
    const shown = this.errors.clip || (this.errors.picture ? [failure, this.errors.picture].filter(Boolean).join("\n") : "");
    this.message.textContent = shown;
    this.message.hidden = shown === "";
  }

  /** Another part is drawn: finer rows are asked for once the keys rest. */
  refresh() {
    this.draw();
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      if (this.row < 0 || !this.details) { return; }
      const { signal } = this.abort;
      const finest = this.isStored && this.raster && this.raster.period <= this.app.dataset.framePeriod * 1.01
        && this.raster.from <= Math.max(0, this.time[0]) && this.raster.to >= Math.min(this.details.duration, this.time[1]) - 2 * this.raster.period;
      this.ready = Promise.all([finest ? null : this.loadPicture(signal), this.loadWave(signal)]);
    }, 120);
  }

  reload() {
    if (this.row >= 0) { this.open(this.row, { part: this.isZoomed ? this.time : null, selection: this.selection }); }
  }

  // Time

  get isZoomed() { return this.time[1] - this.time[0] < (this.full[1] - this.full[0]) * 0.999; }

  clampTime([t0, t1]) {
    const most = this.full[1] - this.full[0];
    const length = Math.max(Math.min(0.002, most), Math.min(most, t1 - t0));
    const from = Math.max(this.full[0], Math.min(this.full[1] - length, t0));
    return [from, from + length];
  }

  setTime(part) {
    this.time = this.clampTime(part);
    this.app.viewChanged();
    this.refresh();
  }

  zoom(factor, around = this.cursor?.time ?? this.heard ?? (this.time[0] + this.time[1]) / 2) {
    const middle = Math.max(this.time[0], Math.min(this.time[1], around));
    this.setTime([middle - (middle - this.time[0]) * factor, middle + (this.time[1] - middle) * factor]);
  }

  move(share) {
    const step = (this.time[1] - this.time[0]) * share;
    this.setTime([this.time[0] + step, this.time[1] + step]);
  }

  /** What playing plays: the selection, or what is drawn. */
  get part() { return this.selection ?? this.time; }

  get heard() {
    const { player } = this.app;
    return player.part?.owner === this && (player.playing || !player.element.ended) ? player.now() : this.position ?? undefined;
  }

  async loadSound() {
    if (!this.hasSound) { throw new Error(this.details?.recording?.message || "There is no recording to play."); }
    const wanted = (this.full[1] - this.full[0]) * (this.details.sampleRate ?? 48000) * 4 > LARGEST ? this.part : this.full;
    if (this.sound && this.sound.from <= wanted[0] && this.sound.to >= wanted[1]) { return this.sound; }
    const { data, firstTime } = await bytes(`/api/clips/${this.row}/sound.wav?${this.partQuery(wanted)}`, this.abort.signal);
    this.sound = { wave: parseWave(data), firstTime, from: wanted[0], to: wanted[1] };
    return this.sound;
  }

  // Drawing

  layOut() {
    const width = this.stage.clientWidth;
    const height = this.stage.clientHeight;
    const parts = this.lanes();
    const lanes = parts.length * (LANE + 2);
    const wave = this.hasSound ? Math.max(26, Math.min(56, height * 0.14)) : 0;
    const inner = Math.max(20, width - LEFT - RIGHT);
    const overview = { x: LEFT, y: 2, width: inner, height: 16 };
    const top = 24;
    const bottom = height - lanes - wave - 22 - (wave ? 2 : 0);
    const picture = { x: LEFT, y: top, width: inner, height: Math.max(30, bottom - top) };
    const axis = picture.y + picture.height;
    return {
      width, height, overview, picture, axis,
      wave: { x: LEFT, y: axis + 20, width: inner, height: wave },
      lanes: parts.map((lane, i) => ({ ...lane, box: { x: LEFT, y: axis + 22 + wave + i * (LANE + 2), width: inner, height: LANE } })),
    };
  }

  lanes() {
    if (!this.details) { return []; }
    const frames = lanesOf(this.details.frameLabels ?? [], 1).map((parts) => ({ name: "frames", parts }));
    const marks = lanesOf(this.details.annotations ?? [], 3).map((parts, i) => ({ name: i === 0 ? "marks" : "", parts }));
    return [...frames, ...marks];
  }

  /** The bins that are drawn: the remembered range of frequencies, where this picture has it. */
  get bins() {
    const { bands } = this.raster;
    const range = bands.unit === "Hz" ? this.app.settings.frequencies : null;
    if (!range) { return [0, bands.count]; }
    const low = Math.max(0, range[0] <= 0 ? 0 : bands.position(range[0]));
    const high = Math.min(bands.count, bands.position(range[1]));
    return high - low >= 2 ? [low, high] : [0, bands.count];
  }

  valueRange() {
    const { settings, dataset } = this.app;
    if (!this.range) {
      if (this.raster.stored && dataset.range && this.app.picture === "stored") { this.range = dataset.range; }
      else {
        // Background noise is drawn dark at any level, so that weak calls are visible.
        const loud = this.raster.quantile(0.9995);
        this.range = Number.isFinite(loud) ? [Math.min(loud - 20, Math.max(loud - 80, this.raster.quantile(0.25))), loud] : [-80, 0];
      }
    }
    const step = (this.range[1] - this.range[0]) / 14;
    const low = this.range[0] + settings.quiet * step;
    return [low, Math.max(low + step, this.range[1] + settings.loud * step)];
  }

  draw() {
    if (this.stage.clientWidth < 40) { return; }
    const layout = this.boxes = this.layOut();
    const { drawing, time } = this;
    const { colors } = this.app;
    drawing.begin(layout.width, layout.height);
    if (this.row < 0) { this.over.begin(layout.width, layout.height); return; }
    drawing.context.fillStyle = colors.well;
    drawing.context.fillRect(layout.picture.x, layout.picture.y, layout.picture.width, layout.picture.height);
    if (this.raster) {
      drawing.raster(this.raster, this.app.colours(), this.valueRange(), layout.picture, time, this.bins);
      drawing.frequencyAxis(layout.picture, this.raster.bands, this.bins);
      this.drawMarks(layout.picture);
    }
    this.shadeContext(layout.picture);
    drawing.frame(layout.picture);
    drawing.timeAxis(layout.picture, layout.axis, time);
    if (layout.wave.height) {
      drawing.wave(this.wave, layout.wave, time, this.peak ?? 1, colors.wave);
      this.shadeContext(layout.wave);
    }
    layout.lanes.forEach((lane) => drawing.lane(lane.box, lane.name, lane.parts, time, (label) => this.app.labelColor(label)));
    this.drawOverview(layout.overview);
    this.drawOverlay();
  }

  x(time, box = this.boxes.picture) { return box.x + (time - this.time[0]) / (this.time[1] - this.time[0]) * box.width; }

  y(hz, box = this.boxes.picture) {
    const [p0, p1] = this.bins;
    return box.y + (p1 - this.raster.bands.position(hz)) / (p1 - p0) * box.height;
  }

  shadeContext(box) {
    const length = this.details?.duration;
    if (!Number.isFinite(length)) { return; }
    this.drawing.shade(box, box.x, this.x(0, box), this.app.colors.outside);
    this.drawing.shade(box, this.x(length, box), box.x + box.width, this.app.colors.outside);
  }

  /** Marks that have an upper and a lower frequency are boxes in the picture. */
  drawMarks(box) {
    if (this.raster.bands.unit !== "Hz") { return; }
    const { context } = this.drawing;
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    context.lineWidth = 1;
    for (const mark of this.details?.annotations ?? []) {
      if (!Number.isFinite(mark.low) || !Number.isFinite(mark.high)) { continue; }
      context.strokeStyle = "#ffffffb0";
      const [x0, x1, y0, y1] = [this.x(mark.start), this.x(mark.end), this.y(mark.high), this.y(mark.low)];
      context.strokeRect(Math.round(x0) + 0.5, Math.round(y0) + 0.5, Math.round(x1 - x0), Math.round(y1 - y0));
    }
    context.restore();
  }

  drawOverview(box) {
    const { drawing, full } = this;
    const { colors } = this.app;
    drawing.context.fillStyle = colors.lane;
    drawing.context.fillRect(box.x, box.y, box.width, box.height);
    if (this.whole) { drawing.wave(this.whole, { ...box, y: box.y + 1, height: box.height - 2 }, full, this.peak ?? 1, colors.soft); }
    const x = (time) => box.x + (time - full[0]) / (full[1] - full[0]) * box.width;
    if (this.isZoomed) {
      drawing.shade(box, box.x, x(this.time[0]), colors.outside);
      drawing.shade(box, x(this.time[1]), box.x + box.width, colors.outside);
      drawing.context.strokeStyle = colors.accent;
      drawing.context.strokeRect(x(this.time[0]) + 0.5, box.y + 0.5, Math.max(3, x(this.time[1]) - x(this.time[0]) - 1), box.height - 1);
    }
    drawing.context.textAlign = "right";
    drawing.context.fillStyle = colors.soft;
    drawing.context.fillText("all", box.x - 7, box.y + box.height / 2);
  }

  drawOverlay() {
    const { over, boxes } = this;
    if (!boxes) { return; }
    over.begin(boxes.width, boxes.height);
    if (this.row < 0 || !this.details) { return; }
    const { context } = over;
    const { colors } = this.app;
    const bottom = boxes.wave.height ? boxes.wave.y + boxes.wave.height : boxes.picture.y + boxes.picture.height;
    const tall = { ...boxes.picture, height: bottom - boxes.picture.y };
    if (this.selection) {
      const [a, b] = this.selection.map((time) => this.x(time));
      over.shade(boxes.picture, a, b, colors.selection);
      if (boxes.wave.height) { over.shade(boxes.wave, a, b, colors.selection); }
      context.fillStyle = colors.edge;
      for (const x of [a, b]) { if (x >= tall.x && x <= tall.x + tall.width) { context.fillRect(Math.round(x), tall.y, 1, tall.height); } }
    }
    const band = this.drag?.band ?? this.app.player.band;
    if (band && this.raster?.bands.unit === "Hz") {
      const { picture } = boxes;
      const [y0, y1] = [this.y(band[1]), this.y(band[0])].map((y) => Math.max(picture.y, Math.min(picture.y + picture.height, y)));
      context.fillStyle = colors.veil;
      context.fillRect(picture.x, picture.y, picture.width, y0 - picture.y);
      context.fillRect(picture.x, y1, picture.width, picture.y + picture.height - y1);
      context.fillStyle = colors.edge;
      context.fillRect(picture.x, Math.round(y0), picture.width, 1);
      context.fillRect(picture.x, Math.round(y1) - 1, picture.width, 1);
    }
    if (this.cursor && !this.drag) {
      const { picture } = boxes;
      const x = this.x(this.cursor.time);
      context.fillStyle = "#ffffff80";
      context.fillRect(Math.round(x), picture.y, 1, picture.height);
      if (this.cursor.y !== null) { context.fillRect(picture.x, Math.round(this.cursor.y), picture.width, 1); }
    }
    this.drawLine(tall);
  }

  /** The line that follows what is heard. */
  drawLine(box) {
    const time = this.heard;
    if (!Number.isFinite(time)) { return; }
    const x = this.x(time);
    if (x < box.x - 1 || x > box.x + box.width + 1) { return; }
    this.over.context.fillStyle = "#000000a0";
    this.over.context.fillRect(Math.round(x) - 1, box.y, 4, box.height);
    this.over.context.fillStyle = this.app.colors.playing;
    this.over.context.fillRect(Math.round(x), box.y, 2, box.height);
  }

  // Words

  describe() {
    const { columns, dataset } = this.app;
    if (this.row < 0) { this.title.textContent = "No clip is open"; this.labels.textContent = ""; this.readout.textContent = ""; return; }
    const id = columns.id[this.row];
    this.title.textContent = id;
    this.title.title = id;
    this.element.setAttribute("aria-label", `Clip ${id}`);
    this.labels.textContent = columns.labelText(this.row) || "no label";
    const duration = seconds(this.details?.duration ?? columns.duration[this.row]);
    const what = this.isStored ? `${dataset.longName}, ${dataset.bins} bins, ${this.units}` : `Spectrogram of the recording, ${this.windowSize} points`;
    this.base.setAttribute(
      "aria-label",
      `${what}; clip ${id}${duration ? `, ${duration}` : ""}, label ${columns.labelText(this.row) || "none"}`,
    );
    this.base.title = "";
    this.readoutText();
  }

  readoutText() {
    if (!this.cursor || !this.raster) {
      const part = this.selection ? `selected ${seconds(this.selection[0])} to ${seconds(this.selection[1])}` : "";
      const band = this.app.player.band ? `band ${this.app.player.band.map(hertz).join(" to ")}` : "";
      this.readout.textContent = [part, band].filter(Boolean).join(" · ");
      return;
    }
    const { bands } = this.raster;
    const { time, place } = this.cursor;
    const parts = [seconds(time)];
    if (this.details?.start > 0) { parts.push(`${seconds(this.details.start + time)} in the recording`); }
    if (place !== null) {
      parts.push(bands.unit === "Hz" ? hertz(bands.at(place)) : `bin ${Math.floor(place)}`);
      const value = this.raster.value(time, place);
      if (Number.isFinite(value)) { parts.push(`${decimals(value, 2)} ${this.raster.units}`); }
    }
    this.readout.textContent = parts.join(" · ");
  }

  // The mouse: a drag selects time, a band, or both

  listen() {
    this.stage.addEventListener("pointerdown", (event) => this.press(event));
    this.stage.addEventListener("pointermove", (event) => this.hover(event));
    this.stage.addEventListener("pointerup", (event) => this.release(event));
    this.stage.addEventListener("pointercancel", () => { this.drag = null; this.drawOverlay(); });
    this.stage.addEventListener("pointerleave", () => { if (!this.drag) { this.cursor = null; this.readoutText(); this.drawOverlay(); } });
    this.stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (!this.details || !this.boxes) { return; }
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) { this.move((event.deltaX || event.deltaY) / 1200); }
      else { this.zoom(1.0015 ** event.deltaY, this.timeAt(event)); }
    }, { passive: false });
    this.element.addEventListener("pointerdown", () => this.app.activate(this), { capture: true });
  }

  point(event) {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  timeAt(event, box = this.boxes.picture) {
    const share = (this.point(event)[0] - box.x) / box.width;
    return this.time[0] + Math.max(0, Math.min(1, share)) * (this.time[1] - this.time[0]);
  }

  /** The position among the bins at a height of the picture. */
  placeAt(y) {
    const { picture } = this.boxes;
    const [p0, p1] = this.bins;
    return p1 - Math.max(0, Math.min(1, (y - picture.y) / picture.height)) * (p1 - p0);
  }

  hertzAt(y) { return Math.max(0, this.raster.bands.at(this.placeAt(y))); }

  hover(event) {
    if (!this.boxes || !this.details) { return; }
    const [x, y] = this.point(event);
    if (this.drag) { this.dragged(x, y, event); return; }
    const { picture } = this.boxes;
    const inside = y >= picture.y && y < picture.y + picture.height && this.raster;
    this.cursor = x >= picture.x && x <= picture.x + picture.width && y >= picture.y ? {
      time: this.timeAt(event),
      y: inside ? y : null,
      place: inside ? this.placeAt(y) : null,
    } : null;
    this.readoutText();
    this.drawOverlay();
  }

  press(event) {
    if (event.button !== 0 || !this.boxes || !this.details) { return; }
    event.preventDefault();
    this.app.table.focus();
    const [x, y] = this.point(event);
    const { picture, overview } = this.boxes;
    const where = y < picture.y - 2 ? "overview" : x < picture.x ? "axis" : y < picture.y + picture.height ? "picture" : "time";
    this.drag = { where, x, y, time: this.timeAt(event), moved: false, band: null };
    this.stage.setPointerCapture(event.pointerId);
    if (where === "overview") { this.centre(x, overview); }
  }

  centre(x, box) {
    const middle = this.full[0] + (x - box.x) / box.width * (this.full[1] - this.full[0]);
    const half = (this.time[1] - this.time[0]) / 2;
    this.setTime([middle - half, middle + half]);
  }

  dragged(x, y, event) {
    const { drag } = this;
    if (Math.abs(x - drag.x) > 3 || Math.abs(y - drag.y) > 3) { drag.moved = true; }
    if (!drag.moved) { return; }
    if (drag.where === "overview") { this.centre(x, this.boxes.overview); return; }
    const wide = Math.abs(x - drag.x) > 3;
    const tall = Math.abs(y - drag.y) > 8;
    const hz = this.raster?.bands.unit === "Hz";
    if (drag.where !== "axis" && wide) { this.selection = [drag.time, this.timeAt(event)].sort((a, b) => a - b); }
    drag.band = hz && tall && drag.where !== "time" ? [this.hertzAt(drag.y), this.hertzAt(y)].sort((a, b) => a - b) : null;
    this.cursor = null;
    this.readoutText();
    this.drawOverlay();
  }

  release(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag || drag.where === "overview") { return; }
    if (!drag.moved) {
      this.selection = null;
      this.position = this.timeAt(event);
      this.app.seek(this, this.position);
    } else if (drag.band) { this.app.setBand(drag.band); }
    this.app.selected(this);
    this.hover(event);
  }

  setSelection(selection) {
    this.selection = selection;
    this.app.selected(this);
    this.readoutText();
    this.drawOverlay();
  }
}
