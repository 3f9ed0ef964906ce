// Corrections by keys. Methods of App.
import { memory, plural, say } from "./elements.js";
import { Flag } from "./columns.js";
import { askBatch, askLabel, askText } from "./dialogs.js";

const done = {
  relabel: "Relabelled",
  add: "Added",
  remove: "Removed",
  exclude: "Excluded",
  include: "Included again",
  checked: "Marked as checked",
  note: "Note written",
};

export function correctionText({ action, label, clips }) {
  return `${done[action] ?? action}${label ? ` “${label}”` : ""}: ${plural(clips.length, "clip")}`;
}

export const correcting = {
  /** The labels used last come first. */
  get recent() { return (this.recentLabels ??= memory.get(`recent-${this.dataset.name}`, [])).filter((label) => typeof label === "string"); },

  remember(label) {
    this.recentLabels = [label, ...this.recent.filter((other) => other !== label)].slice(0, 9);
    memory.set(`recent-${this.dataset.name}`, this.recentLabels);
  },

  mayCorrect() {
    if (this.pane.row < 0) { say("No clip is open."); return false; }
    return this.mayCorrectAny();
  },

  mayCorrectAny() {
    if (this.serverState === "replaced") { say("Another program changed the file: load it again before you correct it."); return false; }
    return true;
  },

  correct(action, options = {}, row = this.pane.row) {
    if (options.label && action !== "remove") { this.remember(options.label); }
    this.corrections.correct([row], action, options);
    say(`${done[action]}${options.label ? `: ${options.label}` : ""}`);
  },

  async pick(title, action, labels, allowNew = true) {
    if (!this.mayCorrect()) { return; }
    const { row } = this.pane;
    const first = [this.columns.suspicion.suggested[row], ...this.recent].filter((label) => label && labels.includes(label));
    const answer = await askLabel({ title: `${title} ${this.columns.id[row]}`, labels, first, allowNew });
    this.current.focus();
    if (answer) { this.correct(action, answer, row); }
  },

  relabel() { return this.pick(this.dataset.multilabel ? "The only label of" : "Label of", "relabel", this.columns.labels); },

  addLabel() { return this.pick("Another label for", "add", this.columns.labels); },

  removeLabel() {
    if (!this.mayCorrect()) { return undefined; }
    const labels = this.columns.currentLabels(this.pane.row).map((number) => this.columns.labels[number]);
    if (labels.length === 0) { say("The clip has no label."); return undefined; }
    if (labels.length === 1) { this.correct("remove", { label: labels[0] }); return undefined; }
    return this.pick("Remove a label of", "remove", labels, false);
  },

  takeSuggestion() {
    if (!this.mayCorrect()) { return; }
    const label = this.columns.suspicion.suggested[this.pane.row];
    if (!label) {
      say(`There is no suggestion for this clip.${this.columns.suspicious > 0 ? " Shift+S puts the most suspicious first." : ""}`);
      return;
    }
    this.correct(this.dataset.multilabel ? "add" : "relabel", { label });
  },

  takeRecent(number) {
    const label = this.recent[number];
    if (!label) { say(`${this.recent.length === 0 ? "No label has" : `Only ${plural(this.recent.length, "label")} ${this.recent.length === 1 ? "has" : "have"}`} been used so far: r relabels.`); return; }
    if (this.mayCorrect()) {
      this.correct(this.dataset.multilabel ? "add" : "relabel", { label, isNew: !this.dataset.labels.includes(label) });
    }
  },

  markChecked() {
    if (!this.mayCorrect()) { return; }
    if (!(this.columns.flags[this.pane.row] & Flag.checked)) { this.correct("checked"); }
    if (this.current === this.table) { this.step(1); }
  },

  exclude() {
    if (!this.mayCorrect()) { return; }
    this.correct(this.columns.flags[this.pane.row] & Flag.excluded ? "include" : "exclude");
  },

  async writeNote() {
    if (!this.mayCorrect()) { return; }
    const { row } = this.pane;
    const note = await askText({
      title: `Note on ${this.columns.id[row]}`,
      name: "Note",
      value: this.columns.notes.get(row) ?? "",
      hint: "Enter saves it, Esc leaves it as it was.",
    });
    this.current.focus();
    if (note !== null && note !== (this.columns.notes.get(row) ?? "")) {
      this.corrections.correct([row], "note", { note });
      say(note ? "Note written" : "Note removed");
    }
  },

  async correctAll() {
    if (!this.mayCorrectAny()) { return; }
    if (this.view.table === "pairs") { say("Near duplicates are corrected one by one."); return; }
    const clips = Array.from(this.rows);
    if (clips.length === 0) { say("The table is empty."); return; }
    const answer = await askBatch({
      number: clips.length,
      total: this.columns.loaded,
      labels: this.columns.labels,
      first: this.recent,
      what: this.filters.words,
    });
    this.current.focus();
    if (!answer) { return; }
    if (answer.label && answer.action !== "remove") { this.remember(answer.label); }
    this.corrections.correct(clips, answer.action, answer);
    say(correctionText({ ...answer, clips }));
  },

  undo() {
    if (!this.mayCorrectAny()) { return; }
    const batch = this.corrections.undo();
    if (!batch) { say("Nothing is left to undo."); return; }
    const text = correctionText(batch);
    say(`Undone: ${text.charAt(0).toLowerCase()}${text.slice(1)}`);
    this.goTo(batch);
  },

  redo() {
    if (!this.mayCorrectAny()) { return; }
    const batch = this.corrections.redo();
    if (!batch) { say("Nothing is left to redo."); return; }
    say(correctionText(batch));
    this.goTo(batch);
  },

  /** One clip that changes is shown. */
  goTo({ clips }) {
    if (clips.length === 1 && clips[0] !== this.pane.row && this.current === this.table) { this.openRow(clips[0]); }
  },

  savedText() {
    const { unsaved, netFull } = this.corrections;
    const stored = this.corrections.lines.clip.length;
    if (unsaved > 0) {
      return `${plural(unsaved, "correction")} not saved yet${netFull ? ", and too many to be kept in this browser" : ""}`;
    }
    return stored === 0 ? "" : `Saved in ${this.dataset.corrections}`;
  },
};

