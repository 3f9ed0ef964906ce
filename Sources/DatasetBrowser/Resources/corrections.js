// Corrections: a queue that is kept until the server has confirmed it, and the state of each clip that follows from them.
//
// Every page has an id of its own, by which its lines in the server's answer are counted. So a correction that was stored,
// but whose answer was lost, is found again and not sent twice.
import { askState, json, post, server, ServerError } from "./server.js";
import { Flag } from "./columns.js";

/** What one request has at most: corrections, and bytes of them. */
const ONCE = 2000;
const BYTES = 500_000;
const kept = "veery-unsaved-";

export class Corrections {
  /** changed(clips), told() after each answer, failed(sentence) why the server cannot save; "" when it can again. */
  constructor(columns, { changed, told, failed }) {
    this.columns = columns;
    this.changed = changed;
    this.told = told;
    this.failed = failed;
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
    /** The last line of a clip that the server does not let this page undo. */
    this.fixed = new Map();
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
    if (next !== this.next && !this.sending) { await this.load(); }
  }

  /** Returns how many of the lines are this page's own. */
  take(answer) {
    let own = 0;
    const touched = new Set();
    for (const line of answer.lines) {
      if (line.line < this.next) { continue; }
      this.next = line.line + 1;
      const index = this.lines.clip.length;
      for (const name of ["clip", "action", "label", "note", "by", "given"]) { this.lines[name].push(line[name] ?? ""); }
      const isNext = line.by === this.by && this.isNext(line);
      this.lines.group.push(isNext ? this.pending[0].group : 0);
      this.lines.earlier.push(this.last.get(line.clip) ?? -1);
      this.last.set(line.clip, index);
      touched.add(line.clip);
      if (line.by === this.by) { own += 1; }
      if (isNext) { this.confirm(); }
    }
    this.next = Math.max(this.next, answer.next ?? 0);
    touched.forEach((clip) => this.update(clip));
    if (touched.size > 0) { this.keep(); this.changed(touched); }
    return own;
  }

  /** Whether a line is the first correction that is not confirmed. Another program may have stored a line of this page twice. */
  isNext(line) {
    const batch = this.pending[0];
    return batch !== undefined && line.clip === batch.clips[batch.done] && isSame(line, batch);
  }

  confirm() {
    this.confirmed += 1;
    const batch = this.pending[0];
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
    const given = new Date().toISOString();
    this.pending.push({ action, label, note, isNew, clips, given, done: 0, group: this.groups, members: new Set(clips) });
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
      if (blocked.has(clip[index]) || index <= (this.fixed.get(clip[index]) ?? -1)) { continue; }
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
        const [batch] = this.pending;
        const before = batch.done;
        const request = { by: this.by, generation: server.generation, after: this.next, corrections: part };
        // The answer begins where this page has read to: other browsers may have written lines before its own.
        const own = this.take(await post("/api/corrections", request));
        // All were stored, though perhaps not letter for letter.
        if (own >= part.length) { while (batch.done < before + part.length) { this.confirmNext(); } }
        if (batch.done === before) { throw new ServerError("The server did not store the corrections.", 0); }
        this.retry = 500;
        this.failed("");
      } catch (error) {
        if (!await this.recover(error)) { break; }
      }
      this.told();
    }
    this.sending = false;
    this.told();
  }

  confirmNext() {
    const { clips, done } = this.pending[0];
    this.confirm();
    this.keep();
    this.update(clips[done]);
    this.changed(new Set([clips[done]]));
  }

  /** Corrections of the first batch, as many as one request may have: so a refusal concerns no other. */
  firstPart() {
    const { clips, done, action, label, note, isNew } = this.pending[0];
    const item = (clip) => ({ clip, action, label, note, new: isNew });
    const size = new TextEncoder().encode(JSON.stringify(item(2 ** 31))).length + 1;
    return clips.slice(done, done + Math.max(1, Math.min(ONCE, Math.floor(BYTES / size)))).map(item);
  }

  /** After a failure: what the server refuses is taken out; everything else is tried again. */
  async recover(error) {
    this.failed(error.status >= 500 ? error.message : "");
    if (error.status >= 400 && error.status < 500 && ![403, 408, 410, 429].includes(error.status)) {
      await this.refuse(error.message);
      return true;
    }
    if (error.status === 410) { return false; }
    this.told();
    await new Promise((resolve) => setTimeout(resolve, this.retry));
    this.retry = Math.min(5000, this.retry * 2);
    // The answer may have been lost, not the correction: ask before sending it again. Another server may have this address now.
    try {
      await askState();
      if (server.state !== "replaced") { await this.load(); }
    } catch { /* the next round tries again */ }
    return true;
  }

  async refuse(message) {
    const batch = this.pending.shift();
    const clips = batch.clips.slice(batch.done);
    this.refused.push({ message, action: batch.action, label: batch.label, number: clips.length });
    this.keep();
    clips.forEach((clip) => this.update(clip));
    this.changed(new Set(clips));
    if (batch.action !== "undo") { return; }
    // The lines that the server has and the page has not may be the reason.
    this.undone = [];
    try { await this.load(); } catch { /* asked again in 5 s */ }
    const again = this.lastBatch();
    if (again && again.clips.length === clips.length && again.clips.every((clip) => batch.clips.includes(clip))) {
      for (const clip of clips) { this.fixed.set(clip, this.last.get(clip) ?? -1); }
    }
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
    const { name, generation } = this.columns.dataset;
    return { dataset: name, generation, confirmed: this.confirmed, at: new Date().toISOString(), batches: this.unsent() };
  }

  /** By the ids of clips: their numbers may be those of others when the dataset is opened again. */
  unsent() {
    return this.pending.map(({ action, label, note, isNew, given, clips, done }) => (
      { action, label, note, isNew, given, ids: clips.slice(done).map((clip) => this.columns.id[clip]) }));
  }

  /** What is unsaved as a file of corrections. */
  text() {
    const { id, path } = this.columns;
    const rows = [["id", "path", "action", "label", "note", "given", "by"]];
    for (const { action, label, note, given, clips, done } of this.pending) {
      for (const clip of clips.slice(done)) { rows.push([id[clip], path[clip], action, label, note, given, this.by]); }
    }
    const field = (text) => (/[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    return rows.map((row) => `${row.map(field).join(",")}\n`).join("");
  }

  /** What earlier pages of this dataset could not save: of pages that are closed, and that the file does not have. */
  async orphans() {
    const found = [];
    let names = [];
    try { names = Object.keys(localStorage).filter((name) => name.startsWith(kept)); } catch { return found; }
    let numbers = null;
    for (const name of names) {
      const by = name.slice(kept.length);
      if (by === this.by || !await isFree(name)) { continue; }
      let record;
      try { record = JSON.parse(localStorage.getItem(name)); } catch { continue; }
      if (record?.dataset !== this.columns.dataset.name || !Array.isArray(record.batches)) { continue; }
      numbers ??= new Map(this.columns.id.map((id, clip) => [id, clip]));
      const left = this.notStored(record, by, numbers);
      const part = (isKnown) => left
        .map((batch) => ({ ...batch, ids: batch.ids.filter((id) => numbers.has(id) === isKnown) }))
        .filter((batch) => batch.ids.length > 0);
      const batches = part(true).map((batch) => ({ ...batch, clips: batch.ids.map((id) => numbers.get(id)) }));
      // Those of other clips are kept: they may be of another dataset with this name.
      const others = part(false);
      const rest = others.length > 0 ? { ...record, batches: others } : null;
      if (left.length === 0) { localStorage.removeItem(name); continue; }
      if (batches.length === 0) { continue; }
      found.push({ name, at: record.at, batches, rest, number: batches.reduce((sum, batch) => sum + batch.clips.length, 0) });
    }
    return found;
  }

  /** The batches of a record without what the file has: lines of its page after the confirmed ones, in their order. */
  notStored(record, by, numbers) {
    const own = [];
    this.lines.by.forEach((one, index) => { if (one === by) { own.push(index); } });
    let next = record.confirmed;
    const isStored = (batch, id) => {
      for (let i = next; i < own.length; i += 1) {
        const line = { action: this.lines.action[own[i]], label: this.lines.label[own[i]], note: this.lines.note[own[i]] };
        if (this.lines.clip[own[i]] === numbers.get(id) && isSame(line, batch)) { next = i + 1; return true; }
      }
      return false;
    };
    return record.batches.map((batch) => ({ ...batch, ids: batch.ids.filter((id) => !isStored(batch, id)) }))
      .filter((batch) => batch.ids.length > 0);
  }

  adopt(orphan) {
    for (const batch of orphan.batches) { this.put(batch); }
    if (orphan.rest === null) { this.forget(orphan); return; }
    try { localStorage.setItem(orphan.name, JSON.stringify(orphan.rest)); } catch { /* the whole record is still there */ }
  }

  forget(orphan) {
    try { localStorage.removeItem(orphan.name); } catch { /* nothing was kept */ }
  }
}

function isSame(line, batch) {
  return ["action", "label", "note"].every((name) => (line[name] ?? "") === batch[name]);
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
