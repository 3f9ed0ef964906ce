// Drawing: rows of values as a picture, axes, waveforms, lanes. Nothing here asks the server or knows of keys.

/** Rows of values in time, such as a stored tensor or a spectrogram. */
export class Raster {
  constructor({ values, rows, bins, period, first, bands }) {
    Object.assign(this, { values, rows, bins, period, first, bands });
    this.canvas = null;
    this.painted = "";
  }

  get from() { return this.first - this.period / 2; }
  get to() { return this.first + (this.rows - 0.5) * this.period; }

  value(time, position) {
    const row = Math.round((time - this.first) / this.period);
    const bin = Math.floor(position);
    return row < 0 || row >= this.rows || bin < 0 || bin >= this.bins ? NaN : this.values[row * this.bins + bin];
  }

  /** The value that a share of all values is below: from a sample of them. */
  quantile(share) {
    const step = Math.max(1, Math.floor(this.values.length / 20000));
    const sample = [];
    for (let i = 0; i < this.values.length; i += step) { if (Number.isFinite(this.values[i])) { sample.push(this.values[i]); } }
    sample.sort((a, b) => a - b);
    return sample.length ? sample[Math.min(sample.length - 1, Math.floor(share * sample.length))] : NaN;
  }

  /** The picture at one pixel a value, low frequencies at the bottom. */
  paint(colours, [low, high]) {
    const key = `${colours.name} ${low} ${high}`;
    if (this.painted === key) { return this.canvas; }
    this.canvas ??= Object.assign(document.createElement("canvas"), { width: this.rows, height: this.bins });
    const context = this.canvas.getContext("2d");
    const image = context.createImageData(this.rows, this.bins);
    const pixels = new Uint32Array(image.data.buffer);
    const factor = 255.999 / Math.max(1e-12, high - low);
    const { rows, bins, values } = this;
    for (let row = 0; row < rows; row += 1) {
      for (let bin = 0; bin < bins; bin += 1) {
        const value = values[row * bins + bin];
        const level = (value - low) * factor;
        pixels[(bins - 1 - bin) * rows + row] = level > 0 ? colours.words[level > 255 ? 255 : level | 0] : level <= 0 ? colours.words[0] : 0;
      }
    }
    context.putImageData(image, 0, 0);
    this.painted = key;
    return this.canvas;
  }
}

/** 256 colours as words of a picture's memory. */
export function coloursOf(name, rgb) {
  const words = new Uint32Array(256);
  for (let i = 0; i < 256; i += 1) { words[i] = (0xff000000 | (rgb[3 * i + 2] << 16) | (rgb[3 * i + 1] << 8) | rgb[3 * i]) >>> 0; }
  return { name, words };
}

export function greys(dark) {
  const rgb = new Uint8Array(768);
  for (let i = 0; i < 768; i += 1) { const level = Math.floor(i / 3); rgb[i] = dark ? level : 255 - level; }
  return coloursOf(dark ? "white on black" : "black on white", rgb);
}

/** Where a frequency is among the bins, and back. Bin b has the positions from b to b + 1. */
export function linearBands(bins, nyquist) {
  const width = nyquist / (bins - 1);
  return {
    unit: "Hz",
    linear: true,
    count: bins,
    highest: nyquist,
    position: (hz) => hz / width + 0.5,
    at: (position) => (position - 0.5) * width,
  };
}

export function storedBands(bins, frequency, scale) {
  const rises = frequency && frequency.length === bins && frequency.every((hz, i) => i === 0 || hz > frequency[i - 1]);
  if (!rises || bins < 2) {
    return { unit: "bin", linear: true, count: bins, highest: bins, position: (bin) => bin + 0.5, at: (position) => position - 0.5 };
  }
  const at = (position) => {
    const place = position - 0.5;
    const bin = Math.max(0, Math.min(bins - 2, Math.floor(place)));
    return Math.max(0, frequency[bin] + (place - bin) * (frequency[bin + 1] - frequency[bin]));
  };
  const position = (hz) => {
    let low = 0;
    let high = bins - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (frequency[middle] <= hz) { low = middle; } else { high = middle - 1; }
    }
    return low + (hz - frequency[low]) / (frequency[low + 1] - frequency[low]) + 0.5;
  };
  return { unit: "Hz", linear: scale === "linear", count: bins, highest: at(bins), position, at };
}

/** Steps of 1, 2 or 5 times a power of ten, at least `least` apart. */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999) ?? power * 10;
}

export class Drawing {
  constructor(canvas, colors) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.colors = colors;
  }

  /** Makes the canvas as sharp as the screen, and clears it. */
  begin(width, height) {
    const ratio = window.devicePixelRatio || 1;
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== columns || this.canvas.height !== rows) {
      this.canvas.width = columns;
      this.canvas.height = rows;
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    this.context.textBaseline = "middle";
  }

  raster(raster, colours, range, box, [t0, t1], [p0, p1]) {
    const source = raster.paint(colours, range);
    const sx = (t0 - raster.from) / raster.period;
    const sw = (t1 - t0) / raster.period;
    const sy = raster.bins - p1;
    const sh = p1 - p0;
    const [left, right] = [Math.max(0, sx), Math.min(raster.rows, sx + sw)];
    const [top, bottom] = [Math.max(0, sy), Math.min(raster.bins, sy + sh)];
    if (right <= left || bottom <= top) { return; }
    this.context.imageSmoothingEnabled = raster.rows > box.width || !raster.stored;
    this.context.imageSmoothingQuality = "high";
    this.context.drawImage(source, left, top, right - left, bottom - top,
      box.x + (left - sx) / sw * box.width, box.y + (top - sy) / sh * box.height,
      (right - left) / sw * box.width, (bottom - top) / sh * box.height);
  }

  frame(box) {
    this.context.strokeStyle = this.colors.line;
    this.context.lineWidth = 1;
    this.context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
  }

  shade(box, from, to, color) {
    const [a, b] = [Math.max(box.x, from), Math.min(box.x + box.width, to)];
    if (b <= a) { return; }
    this.context.fillStyle = color;
    this.context.fillRect(a, box.y, b - a, box.height);
  }

  timeAxis(box, y, [t0, t1]) {
    const { context } = this;
    const step = roundStep((t1 - t0) * 64 / box.width);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    context.strokeStyle = this.colors.soft;
    context.fillStyle = this.colors.soft;
    context.textAlign = "center";
    context.beginPath();
    for (let number = Math.ceil(t0 / step - 1e-9); number * step <= t1 + 1e-9; number += 1) {
      const x = Math.round(box.x + (number * step - t0) / (t1 - t0) * box.width) + 0.5;
      context.moveTo(x, y);
      context.lineTo(x, y + 4);
      const text = (number * step).toFixed(digits).replace("-", "−");
      const half = context.measureText(text).width / 2;
      if (x + half < box.x + box.width - 8 && x - half > box.x - 30) { context.fillText(text, x, y + 11); }
    }
    context.stroke();
    context.textAlign = "right";
    context.fillText("s", box.x + box.width, y + 11);
  }

  frequencyAxis(box, bands, [p0, p1]) {
    const { context } = this;
    const [low, high] = [Math.max(0, bands.at(p0)), bands.at(p1)];
    const thousands = bands.unit === "Hz" && high > 3000;
    const y = (hz) => box.y + (p1 - bands.position(hz)) / (p1 - p0) * box.height;
    let values = [];
    if (bands.linear) {
      const step = roundStep((high - low) * 26 / box.height);
      for (let number = Math.ceil(low / step - 1e-9); number * step <= high * 1.0001; number += 1) { values.push(number * step); }
    } else {
      for (const factor of [1, 2, 5, 3, 7, 1.5, 4, 6, 8, 9]) {
        for (let power = 10; power <= 100000; power *= 10) {
          const hz = factor * power;
          if (hz >= low && hz <= high && values.every((other) => Math.abs(y(other) - y(hz)) > 22)) { values.push(hz); }
        }
      }
    }
    values = values.filter((hz) => y(hz) >= box.y - 0.5 && y(hz) <= box.y + box.height + 0.5);
    context.strokeStyle = this.colors.soft;
    context.fillStyle = this.colors.soft;
    context.textAlign = "right";
    context.beginPath();
    for (const hz of values) {
      const at = Math.round(y(hz)) - 0.5;
      context.moveTo(box.x - 4, at);
      context.lineTo(box.x, at);
      if (at > box.y + 18) {
        context.fillText(
          thousands ? String(Number((hz / 1000).toFixed(3))) : String(Number(hz.toFixed(2))),
          box.x - 7,
          Math.min(at, box.y + box.height - 5),
        );
      }
    }
    context.stroke();
    context.fillText(bands.unit === "Hz" ? (thousands ? "kHz" : "Hz") : bands.unit, box.x - 7, box.y + 6);
  }

  /** wave: { values: pairs of minimum and maximum, first, period }. Scaled to the loudest of `peak`. */
  wave(wave, box, [t0, t1], peak, color) {
    const { context } = this;
    const middle = box.y + box.height / 2;
    context.fillStyle = this.colors.line;
    context.fillRect(box.x, Math.round(middle), box.width, 1);
    if (!wave) { return; }
    const scale = (box.height / 2 - 1) / Math.max(peak, 1e-6);
    const columns = wave.values.length / 2;
    context.fillStyle = color;
    for (let x = 0; x < box.width; x += 1) {
      const from = (t0 + x / box.width * (t1 - t0) - wave.first) / wave.period;
      const to = (t0 + (x + 1) / box.width * (t1 - t0) - wave.first) / wave.period;
      if (to <= 0 || from >= columns) { continue; }
      let [low, high] = [Infinity, -Infinity];
      for (let i = Math.max(0, Math.floor(from)); i < Math.min(columns, Math.max(Math.floor(from) + 1, Math.ceil(to))); i += 1) {
        low = Math.min(low, wave.values[2 * i]);
        high = Math.max(high, wave.values[2 * i + 1]);
      }
      if (low > high) { continue; }
      const top = middle - high * scale;
      context.fillRect(box.x + x, top, 1, Math.max(1, (high - low) * scale));
    }
  }

  lane(box, name, parts, [t0, t1], colorOf) {
    const { context } = this;
    context.textAlign = "right";
    context.fillStyle = this.colors.soft;
    context.fillText(name, box.x - 7, box.y + box.height / 2);
    context.fillStyle = this.colors.lane;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.textAlign = "left";
    for (const part of parts) {
      const from = Math.max(box.x, box.x + (part.start - t0) / (t1 - t0) * box.width);
      const to = Math.min(box.x + box.width, box.x + (part.end - t0) / (t1 - t0) * box.width);
      if (to <= from) { continue; }
      const [fill, ink] = colorOf(part.label);
      context.fillStyle = fill;
      context.fillRect(from, box.y, Math.max(1, to - from - 1), box.height);
      if (to - from > 10) {
        context.save();
        context.beginPath();
        context.rect(from, box.y, to - from - 2, box.height);
        context.clip();
        context.fillStyle = ink;
        context.fillText(part.label, from + 3, box.y + box.height / 2 + 0.5);
        context.restore();
      }
    }
  }
}

/** Parts that overlap are put into lanes one below the other, at most `most`. */
export function lanesOf(parts, most) {
  const lanes = [];
  for (const part of [...parts].sort((a, b) => a.start - b.start)) {
    const free = lanes.find((lane) => lane[lane.length - 1].end <= part.start + 1e-9);
    if (free) { free.push(part); } else if (lanes.length < most) { lanes.push([part]); } else { lanes[most - 1].push(part); }
  }
  return lanes;
}
