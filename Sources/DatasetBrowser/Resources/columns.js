// The dataset's table in columns: typed arrays, and one array of texts each for ids and paths. No object per row.
import { json } from "./server.js";

/** Texts that repeat: each is stored once, and a row has its number; −1 is none. */
export class TextColumn {
  constructor(total) {
    this.codes = new Int32Array(total).fill(-1);
    this.texts = [];
    this.numbers = new Map();
  }

  set(row, text) {
    if (text === null || text === undefined || text === "") { this.codes[row] = -1; return; }
    let code = this.numbers.get(text);
    if (code === undefined) {
      code = this.texts.length;
      this.texts.push(text);
      this.numbers.set(text, code);
    }
    this.codes[row] = code;
  }

  text(row) {
    const code = this.codes[row];
    return code < 0 ? "" : this.texts[code];
  }
}

const PAGE = 50000;

export class Columns {
  constructor(dataset) {
    this.dataset = dataset;
    this.total = dataset.clips + dataset.failures;
    this.loaded = 0;
    const numbers = () => new Float32Array(this.total).fill(NaN);
    this.id = new Array(this.total);
    this.path = new Array(this.total);
    this.split = new Int16Array(this.total).fill(-1);
    this.start = new Float64Array(this.total);
    this.duration = new Float64Array(this.total).fill(NaN);
    this.peak = numbers();
    this.rms = numbers();
    this.floorShare = numbers();
    this.score = numbers();
    /** The rank among the suspicious, from 0; −1 has none. */
    this.rank = new Int32Array(this.total).fill(-1);
    this.suspicion = { state: "none", note: "", reasons: {}, suggested: {}, pairs: [] };
    this.failureKind = new TextColumn(this.total);
    this.failureStage = new TextColumn(this.total);
    this.failureReason = new TextColumn(this.total);
    this.extra = new Map(dataset.columns.map((name) => [name, new TextColumn(this.total)]));
    this.labels = dataset.labels.slice();
    this.labelNumbers = new Map(this.labels.map((name, number) => [name, number]));
    // The labels of row r are those from offsets[r] up to offsets[r + 1].
    this.labelOffsets = new Uint32Array(this.total + 1);
    this.labelItems = new Int32Array(Math.max(16, this.total));
    this.labelCount = 0;
    /** Corrections: bits of Flag, labels and notes of the few clips that have any. */
    this.flags = new Uint8Array(this.total);
    this.corrected = new Map();
    this.notes = new Map();
    /** Counts the changes of the columns, so that sort keys are computed anew. */
    this.version = 0;
  }

  async load(progress) {
    while (this.loaded < this.total) {
      const page = await json(`/api/clips?from=${this.loaded}&count=${PAGE}`);
      if (!(page.n > 0)) { throw new Error(`The server sent no clips from ${this.loaded} on.`); }
      this.take(page);
      progress(this.loaded);
    }
  }

  take(page) {
    const from = page.from;
    for (let i = 0; i < page.n; i += 1) {
      const row = from + i;
      this.id[row] = page.id[i];
      this.path[row] = page.path[i];
      this.split[row] = page.split[i] ?? -1;
      this.start[row] = page.start[i] ?? 0;
      this.duration[row] = page.duration[i] ?? NaN;
      this.peak[row] = page.peak?.[i] ?? NaN;
      this.rms[row] = page.rms?.[i] ?? NaN;
      this.takeLabels(row, page.labels[i] ?? []);
      const failure = page.failure?.[i];
      if (failure) {
        this.failureKind.set(row, failure.kind || "unknown");
        this.failureStage.set(row, failure.stage);
        this.failureReason.set(row, failure.reason);
      }
    }
    for (const [name, column] of this.extra) {
      const texts = page.columns?.[name] ?? [];
      for (let i = 0; i < page.n; i += 1) { column.set(from + i, texts[i]); }
    }
    this.loaded = from + page.n;
    this.version += 1;
  }

  takeLabels(row, labels) {
    if (this.labelCount + labels.length > this.labelItems.length) {
      const larger = new Int32Array((this.labelItems.length + labels.length) * 2);
      larger.set(this.labelItems);
      this.labelItems = larger;
    }
    for (const label of labels) { this.labelItems[this.labelCount++] = label; }
    this.labelOffsets[row + 1] = this.labelCount;
  }

  takeSuspicion(answer) {
    this.suspicion = {
      state: answer.state, done: answer.done, note: answer.note || "", reasons: answer.reasons || {},
      suggested: answer.suggested || {}, pairs: answer.pairs || [],
    };
    (answer.score || []).forEach((score, row) => { this.score[row] = score ?? NaN; });
    (answer.floorShare || []).forEach((share, row) => { if (share !== null) { this.floorShare[row] = share; } });
    (answer.order || []).forEach((row, rank) => { this.rank[row] = rank; });
    this.version += 1;
  }

  /** The number of suspicious clips: what is above 0 is more like the clips of another label. */
  get suspicious() { return this.score.reduce((number, score) => number + (score > 0 ? 1 : 0), 0); }

  /** What the server has found out of a clip that was opened: it goes into cells that were empty. */
  takeDetails(row, details) {
    let changed = false;
    for (const name of ["duration", "peak", "rms"]) {
      const value = details[name];
      if (Number.isFinite(value) && Number.isNaN(this[name][row])) {
        this[name][row] = value;
        changed = true;
      }
    }
    if (changed) { this.version += 1; }
    return changed;
  }

  isFailure(row) { return this.failureKind.codes[row] >= 0 || row >= this.dataset.clips; }

  labelNumber(name) {
    let number = this.labelNumbers.get(name);
    if (number === undefined) {
      number = this.labels.length;
      this.labels.push(name);
      this.labelNumbers.set(name, number);
    }
    return number;
  }

  givenLabels(row) {
    return Array.from(this.labelItems.subarray(this.labelOffsets[row], this.labelOffsets[row + 1]));
  }

  currentLabels(row) { return this.corrected.get(row) ?? this.givenLabels(row); }

  labelText(row) { return this.currentLabels(row).map((number) => this.labels[number]).join(", "); }

  splitText(row) { return this.dataset.splits[this.split[row]] ?? ""; }

  reasons(row) {
    return this.isFailure(row) ? `${this.failureKind.text(row).replace(/_/g, " ")}: ${this.failureReason.text(row)}`
      : this.suspicionText(row);
  }

  /** Why a clip is suspicious. With the labels that the file has: those of a correction were not looked at. */
  suspicionText(row) {
    const text = (this.suspicion.reasons[row] ?? []).join("; ");
    return text !== "" && this.corrected.has(row) ? `before the correction: ${text}` : text;
  }

  find(id) {
    const row = this.id.indexOf(id);
    return row < this.loaded ? row : -1;
  }
}

export const Flag = { labels: 1, excluded: 2, checked: 4, note: 8, unsaved: 16 };
