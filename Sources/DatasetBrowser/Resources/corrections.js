// Corrections: a queue that is kept until the server has confirmed it, and the state of each clip that follows from them.
//
// Every page has an id of its own, by which its lines in the server's answer are counted. So a correction that was stored,
// but whose answer was lost, is found again and not sent twice.
import { json, post, server, ServerError } from "./server.js";
import { Flag } from "./columns.js";

const ONCE = 2000;
const kept = "veery-unsaved-";

export class Corrections {
  constructor(columns, { changed, told }) {
    this.columns = columns;
    this.changed = changed;
    this.told = told;
    this.by = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    this.next = 0;
    /** Confirmed lines in columns; `earlier` is the line before of the same clip, or −1. */
    this.lines = { clip: [], action: [], label: [], note: [], by: [], given: [], group: [], earlier: [] };
    this.groups = 0;
    /** How many lines were there when the page was opened, and how many of this page's are confirmed. */
    this.present = 0;
    this.confirmed = 0;
    this.last = new Map();
    /** Batches that the server has not confirmed: { action, label, note, isNew, clips, done, group, members }. */
    this.pending = [];
    this.refused = [];
    this.undone = [];
    this.sending = false;
    this.retry = 500;
    navigator.locks?.request(kept + this.by, () => new Promise(() => {}));
  }

  get unsaved() { return this.pending.reduce((sum, batch) => sum + batch.clips.length - batch.done, 0); }

  // What the server has

  async load() {
    this.take(await json(`/api/corrections?after=${this.next}`));
  }

  async open() {
    await this.load();
    this.present = this.lines.clip.length;
  }

  async catchUp(next) {
    if (next !== this.next && !this.sending) {
      try { await this.load(); } catch { /* asked again in 5 s */ }
    }
  }

  take(answer) {
    const touched = new Set();
    for (const line of answer.lines) {
      if (line.line < this.next) { continue; }
      this.next = line.line + 1;
      const index = this.lines.clip.length;
      for (const name of ["clip", "action", "label", "note", "by", "given"]) { this.lines[name].push(line[name] ?? ""); }
      this.lines.group.push(line.by === this.by ? this.pending[0]?.group ?? 0 : 0);
      this.lines.earlier.push(this.last.get(line.clip) ?? -1);
      this.last.set(line.clip, index);
      touched.add(line.clip);
      if (line.by === this.by) { this.confirm(); }
    }
    this.next = Math.max(this.next, answer.next ?? 0);
    touched.forEach((clip) => this.update(clip));
    if (touched.size > 0) { this.keep(); this.changed(touched); }
  }

  confirm() {
    this.confirmed += 1;
    const batch = this.pending[0];
    if (!batch) { return; }
    batch.members.delete(batch.clips[batch.done]);
    batch.done += 1;
    if (batch.done >= batch.clips.length) { this.pending.shift(); }
  }

  // What a clip is after its corrections

  /** Those of a clip that are not undone, in their order. */
  standing(clip) {
    const indices = [];
    for (let index = this.last.get(clip) ?? -1; index >= 0; index = this.lines.earlier[index]) { indices.push(index); }
    const stack = [];
    const apply = (correction) => { if (correction.action === "undo") { stack.pop(); } else { stack.push(correction); } };
    for (const index of indices.reverse()) {
      apply({
        action: this.lines.action[index],
        label: this.lines.label[index],
        note: this.lines.note[index],
        by: this.lines.by[index],
        given: this.lines.given[index],
        index,
      });
    }
    for (const batch of this.pending) {
      if (batch.members.has(clip)) { apply({ ...batch, by: this.by, given: "", index: -1 }); }
    }
    return stack;
  }

  update(clip) {
    const columns = this.columns;
    let labels = null;
    let flags = 0;
    let note = "";
    for (const { action, label, note: text } of this.standing(clip)) {
      if (action === "relabel") { labels = label === "" ? [] : [columns.labelNumber(label)]; }
      else if (action === "add") { labels = [...new Set([...(labels ?? columns.givenLabels(clip)), columns.labelNumber(label)])]; }
      else if (action === "remove") { labels = (labels ?? columns.givenLabels(clip)).filter((number) => columns.labels[number] !== label); }
      else if (action === "exclude") { flags |= Flag.excluded; }
      else if (action === "include") { flags &= ~Flag.excluded; }
      else if (action === "checked") { flags |= Flag.checked; }
      else if (action === "note") { note = text; }
    }
    if (labels) { columns.corrected.set(clip, labels); flags |= Flag.labels; } else { columns.corrected.delete(clip); }
    if (note) { columns.notes.set(clip, note); flags |= Flag.note; } else { columns.notes.delete(clip); }
    if (this.pending.some((batch) => batch.members.has(clip))) { flags |= Flag.unsaved; }
    columns.flags[clip] = flags;
    columns.version += 1;
  }

  // New ones

  /** Corrects clips. The table shows the result at once, while it is being sent. */
  correct(clips, action, { label = "", note = "", isNew = false } = {}) {
    if (clips.length === 0) { return; }
    if (action !== "undo") { this.undone = []; }
    this.put({ action, label, note, isNew, clips: Array.from(clips) });
  }

  put({ action, label, note, isNew, clips }) {
    this.groups += 1;
    this.pending.push({ action, label, note, isNew, clips, done: 0, group: this.groups, members: new Set(clips) });
    this.keep();
    clips.forEach((clip) => this.update(clip));
    this.changed(new Set(clips));
    this.send();
  }

  /** What undo would take back: the corrections that were given together last. Those that another browser gives meanwhile are its own. */
  lastBatch() {
    const undone = new Map();
    const blocked = new Set();
    for (let number = this.pending.length - 1; number >= 0; number -= 1) {
      const batch = this.pending[number];
      const clips = batch.clips.slice(batch.done);
      if (batch.action === "undo") {
        clips.forEach((clip) => undone.set(clip, (undone.get(clip) ?? 0) + 1));
      } else {
        const rest = clips.filter((clip) => !taken(undone, clip));
        // A part that the server has confirmed already is among the lines, with the same group.
        if (rest.length > 0) { return this.gather(batch, rest, batch.group, undone, blocked); }
      }
    }
    return this.gather(null, [], 0, undone, blocked);
  }

  gather(batch, clips, group, undone, blocked) {
    const { clip, action, label, note, by } = this.lines;
    let found = batch && { ...batch, clips };
    let first = -1;
    for (let index = clip.length - 1; index >= 0; index -= 1) {
      if (by[index] !== this.by && index >= this.present) { blocked.add(clip[index]); continue; }
      if (blocked.has(clip[index])) { continue; }
      if (action[index] === "undo") { undone.set(clip[index], (undone.get(clip[index]) ?? 0) + 1); continue; }
      if (taken(undone, clip[index])) { continue; }
      if (!found) {
        found = { action: action[index], label: label[index], note: note[index], isNew: true, clips: [] };
        group = this.lines.group[index];
      } else if (group > 0 ? this.lines.group[index] !== group : !this.together(index, first)) { break; }
      found.clips.push(clip[index]);
      first = index;
    }
    return found;
  }

  /** Lines of earlier pages were given together if they have the same time, browser and content. */
  together(a, b) {
    return ["given", "by", "action", "label", "note"].every((name) => this.lines[name][a] === this.lines[name][b])
      && this.lines.group[a] === 0 && this.lines.clip[a] !== this.lines.clip[b];
  }

  undo() {
    const batch = this.lastBatch();
    if (!batch) { return null; }
    this.undone.push(batch);
    this.correct(batch.clips, "undo");
    return batch;
  }

  redo() {
    const batch = this.undone.pop();
    if (!batch) { return null; }
    this.put(batch);
    return batch;
  }

  // Sending

  async send() {
    if (this.sending) { return; }
    this.sending = true;
    while (this.pending.length > 0 && server.state !== "replaced") {
      const part = this.firstPart();
      try {
        const before = this.unsaved;
        // The answer begins where this page has read to: other browsers may have written lines before its own.
        this.take(await post("/api/corrections", { by: this.by, after: this.next, corrections: part }));
        if (this.unsaved === before) { await this.load(); }
        if (this.unsaved === before) { throw new ServerError("The server did not store the corrections.", 0); }
        this.retry = 500;
      } catch (error) {
        if (!await this.recover(error)) { break; }
      }
      this.told();
    }
    this.sending = false;
    this.told();
  }

  /** Up to ONCE corrections of the first batch: so a refusal concerns no other. */
  firstPart() {
    const { clips, done, action, label, note, isNew } = this.pending[0];
    return clips.slice(done, done + ONCE).map((clip) => ({ clip, action, label, note, new: isNew }));
  }

  /** After a failure: what the server refuses is taken out; everything else is tried again. */
  async recover(error) {
    if (error.status >= 400 && error.status < 500 && ![403, 408, 410, 429].includes(error.status)) {
      this.refuse(error.message);
      return true;
    }
    if (error.status === 410) { return false; }
    this.told();
    await new Promise((resolve) => setTimeout(resolve, this.retry));
    this.retry = Math.min(5000, this.retry * 2);
    // The answer may have been lost, not the correction: ask before sending it again.
    try { await this.load(); } catch { /* the next round tries again */ }
    return true;
  }

  refuse(message) {
    const batch = this.pending.shift();
    const clips = batch.clips.slice(batch.done);
    this.refused.push({ message, action: batch.action, label: batch.label, number: clips.length });
    this.keep();
    clips.forEach((clip) => this.update(clip));
    this.changed(new Set(clips));
  }

  // The net: unsaved corrections outlive a closed tab

  keep() {
    try {
      if (this.pending.length === 0) { localStorage.removeItem(kept + this.by); this.netFull = false; return; }
      localStorage.setItem(kept + this.by, JSON.stringify(this.record()));
      this.netFull = false;
    } catch { this.netFull = true; }
  }

  record() {
    return {
      dataset: this.columns.dataset.name, generation: this.columns.dataset.generation, confirmed: this.confirmed, at: new Date().toISOString(),
      batches: this.pending.map(({ action, label, note, isNew, clips, done }) => ({
        action, label, note, isNew, clips: clips.slice(done), ids: clips.slice(done, done + 1000).map((clip) => this.columns.id[clip]),
      })),
    };
  }

  /** What earlier pages of this dataset could not save: of pages that are closed, and that the file does not have. */
  async orphans() {
    const found = [];
    let names = [];
    try { names = Object.keys(localStorage).filter((name) => name.startsWith(kept)); } catch { return found; }
    for (const name of names) {
      const by = name.slice(kept.length);
      if (by === this.by || !await isFree(name)) { continue; }
      let record;
      try { record = JSON.parse(localStorage.getItem(name)); } catch { continue; }
      if (!record || record.dataset !== this.columns.dataset.name) { continue; }
      let stored = this.lines.by.reduce((sum, one) => sum + (one === by ? 1 : 0), 0) - record.confirmed;
      const batches = [];
      for (const batch of record.batches) {
        const skipped = Math.max(0, Math.min(batch.clips.length, stored));
        stored -= skipped;
        const now = (clip, i) => (batch.ids[i] === undefined || this.columns.id[clip] === batch.ids[i] ? clip : this.columns.find(batch.ids[i]));
        const clips = batch.clips.map(now).filter((clip, i) => i >= skipped && clip >= 0);
        if (clips.length > 0) { batches.push({ ...batch, clips }); }
      }
      if (batches.length === 0) { localStorage.removeItem(name); continue; }
      found.push({ name, at: record.at, batches, number: batches.reduce((sum, batch) => sum + batch.clips.length, 0) });
    }
    return found;
  }

  adopt(orphan) {
    for (const batch of orphan.batches) { this.put(batch); }
    this.forget(orphan);
  }

  forget(orphan) {
    try { localStorage.removeItem(orphan.name); } catch { /* nothing was kept */ }
  }
}

function taken(undone, clip) {
  const number = undone.get(clip) ?? 0;
  if (number === 0) { return false; }
  undone.set(clip, number - 1);
  return true;
}

function isFree(name) {
  if (!navigator.locks) { return true; }
  return navigator.locks.request(name, { ifAvailable: true }, (lock) => lock !== null);
}
