// Dialogs: a label with completion, a note, a time, corrections of many clips, all keys.
import { button, count, make, plural } from "./elements.js";

function dialog(title, ...content) {
  const heading = make("h2", { text: title, id: `dialog-${Math.random().toString(36).slice(2)}` });
  const element = make("dialog", { "aria-labelledby": heading.id }, heading, ...content);
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

/**
 * Answers with what is given and closes the dialog; `null` if it is closed otherwise. The "close" event comes later than the
 * next key may, which then would find the question open and the dialog gone.
 */
function answering(box, resolve) {
  box.addEventListener("close", () => resolve(null));
  return (answer) => { resolve(answer); box.close(); };
}

/** An input for a label: the completion lists what contains the text, what begins with it first. */
class LabelInput {
  constructor({ labels, first = [], chosen, allowNew = true, name = "Label" }) {
    this.labels = labels;
    this.first = first;
    this.chosen = chosen;
    this.allowNew = allowNew;
    this.input = make("input", {
      type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "label-options", "aria-autocomplete": "list",
      "aria-label": name, autocomplete: "off", spellcheck: "false",
    });
    this.list = make("ul", { id: "label-options", role: "listbox", "aria-label": "Labels" });
    this.hint = make("p", { class: "hint", role: "status" });
    this.element = make("div", { class: "label-input" }, this.input, this.list, this.hint);
    this.input.addEventListener("input", () => this.refresh());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const option = event.target.closest("li");
      if (option) { this.take(this.options[Number(option.dataset.number)]); }
    });
    this.refresh();
  }

  /** Blanks around a label count only where the dataset has such a label. */
  get text() { return this.labels.includes(this.input.value) ? this.input.value : this.input.value.trim(); }
  get known() { return this.labels.includes(this.text); }

  refresh() {
    const wanted = this.text.toLocaleLowerCase();
    const ranked = [[], [], []];
    const ordered = [...new Set([...this.first, ...this.labels])];
    for (const label of ordered) {
      const folded = label.toLocaleLowerCase();
      const rank = folded === wanted ? 0 : folded.startsWith(wanted) ? 1 : folded.includes(wanted) ? 2 : 3;
      if (rank < 3) { ranked[rank].push(label); }
    }
    this.options = ranked.flat().slice(0, 60);
    this.active = this.options.length > 0 ? 0 : -1;
    this.list.replaceChildren(...this.options.map((label, number) => make(
      "li",
      { role: "option", id: `label-option-${number}`, "data-number": String(number), text: label },
    )));
    this.list.hidden = this.options.length === 0;
    this.input.setAttribute("aria-expanded", String(this.options.length > 0));
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((option, number) => option.setAttribute("aria-selected", String(number === this.active)));
    if (this.active >= 0) {
      this.input.setAttribute("aria-activedescendant", `label-option-${this.active}`);
      this.list.children[this.active].scrollIntoView({ block: "nearest" });
    } else { this.input.removeAttribute("aria-activedescendant"); }
    const isNew = this.text !== "" && !this.known;
    this.hint.textContent = !isNew ? "" : this.allowNew ? `Ctrl+Enter makes “${this.text}” a new label.` : `There is no label “${this.text}”.`;
  }

  key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (this.options.length > 0) { this.active = (this.active + step + this.options.length) % this.options.length; }
      this.mark();
    } else if (event.key === "Tab" && this.active >= 0 && this.text !== "" && !this.known) {
      event.preventDefault();
      this.input.value = this.options[this.active];
      this.refresh();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (event.isComposing) { return; }
      if ((event.ctrlKey || event.metaKey) && this.allowNew && this.text !== "" && !this.known) { this.chosen(this.text, true); }
      else if (this.active >= 0) { this.take(this.options[this.active]); }
    }
  }

  take(label) {
    this.input.value = label;
    this.chosen(label, false);
  }
}

export function askLabel({ title, labels, first, allowNew = true }) {
  return new Promise((resolve) => {
    const input = new LabelInput({ labels, first, allowNew, chosen: (label, isNew) => answer({ label, isNew }) });
    const box = dialog(title, input.element);
    const answer = answering(box, resolve);
    box.classList.add("small");
    input.input.focus();
  });
}

export function askText({ title, name, value = "", hint = "" }) {
  return new Promise((resolve) => {
    const input = make("input", { type: "text", "aria-label": name, autocomplete: "off" });
    input.value = value;
    const box = dialog(title, input, make("p", { class: "hint", text: hint }));
    const answer = answering(box, resolve);
    box.classList.add("small");
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) { return; }
      event.preventDefault();
      answer(input.value);
    });
    input.focus();
    input.select();
  });
}

/** A time, or a part from a time to another, and a band. Empty fields change nothing. */
export function askPart({ from, to, low, high }) {
  return new Promise((resolve) => {
    const field = (name, value) => {
      const input = make(
        "input",
        { type: "text", inputmode: "decimal", autocomplete: "off", id: `part-${name.split(" ")[0].toLowerCase()}` },
      );
      input.value = value ?? "";
      return input;
    };
    const fields = [field("From", from), field("To", to), field("Lowest", low), field("Highest", high)];
    const names = ["From (s)", "To (s)", "Lowest (Hz)", "Highest (Hz)"];
    const rows = fields.map((input, i) => make("label", {}, make("span", { text: names[i] }), input));
    const done = () => {
      const values = fields.map((input) => (input.value.trim() === "" ? null : Number(input.value.replace(",", ".").replace("−", "-"))));
      if (values.some((value) => Number.isNaN(value))) { hint.textContent = "A field has a number, or is empty."; return; }
      answer(values);
    };
    const hint = make(
      "p",
      { class: "hint", role: "status", text: "“From” alone goes to that time; with “To”, the part between is selected. Only the band is heard." },
    );
    const box = dialog(
      "Go to a time, or select a part",
      make("div", { class: "fields" }, ...rows),
      hint,
      make("p", { class: "actions" }, button("Go", done, { class: "main" })),
    );
    const answer = answering(box, resolve);
    box.classList.add("small");
    box.addEventListener(
      "keydown",
      (event) => { if (event.key === "Enter" && event.target.tagName === "INPUT") { event.preventDefault(); done(); } },
    );
    fields[0].focus();
    fields[0].select();
  });
}

const actions = {
  relabel: "Give one label", add: "Add a label", remove: "Remove a label", exclude: "Exclude from the dataset", include: "Include again", checked: "Mark as checked", note: "Write a note",
};

/** A correction of all clips of the table. */
export function askBatch({ number, total, labels, first, what }) {
  return new Promise((resolve) => {
    /** The label that was chosen: { label, isNew }. An input has no line breaks, but a label may. */
    let picked = null;
    const action = make(
      "select",
      { id: "batch-action" },
      ...Object.entries(actions).map(([value, text]) => make("option", { value, text })),
    );
    const label = new LabelInput({
      labels,
      first,
      chosen(text, isNew) { picked = { label: text, isNew }; label.list.hidden = true; refresh(); apply.focus(); },
    });
    const note = make("input", { type: "text", "aria-label": "Note", autocomplete: "off" });
    const apply = button("", () => {
      const needsLabel = ["relabel", "add", "remove"].includes(action.value);
      if (needsLabel && !picked) { label.input.focus(); return; }
      answer({ action: action.value, label: "", note: action.value === "note" ? note.value : "", ...(needsLabel ? picked : {}) });
    }, { class: "main" });
    const refresh = () => {
      const needsLabel = ["relabel", "add", "remove"].includes(action.value);
      label.element.hidden = !needsLabel;
      note.hidden = action.value !== "note";
      apply.textContent = `${actions[action.value]}${needsLabel && picked ? ` “${picked.label}”` : ""}: ${plural(number, "clip")}`;
      apply.disabled = needsLabel && !picked;
    };
    label.input.addEventListener("input", () => { picked = label.known ? { label: label.text, isNew: false } : null; refresh(); });
    action.addEventListener("change", refresh);
    const all = number === total ? `All ${plural(number, "clip")} of the dataset.` : `The ${plural(number, "clip")} of ${count(total)} that the table shows${what ? `: ${what}` : ""}.`;
    const box = dialog("Correct all clips of the table", make("p", { text: `${all} One undo (u) takes all of it back.` }),
      make("label", { class: "field" }, make("span", { text: "What to do" }), action), label.element, note,
      make("p", { class: "actions" }, button("Cancel", () => box.close()), apply));
    const answer = answering(box, resolve);
    refresh();
    action.focus();
  });
}

export function showHelp({ groups, letters, setLetters }) {
  const sections = groups.map((group) => make("section", {}, make("h3", { text: group.title }), make("dl", {}, ...group.keys.map(({ shown, text }) =>
    make("div", {}, make("dt", {}, ...shown.split(" ").map((key) => make("kbd", { text: key }))), make("dd", { text }))))));
  const box = make("input", { type: "checkbox", id: "letters" });
  box.checked = letters;
  box.addEventListener("change", () => setLetters(box.checked));
  const element = dialog("Keys", make("div", { class: "help", tabindex: "0", role: "region", "aria-label": "All keys" }, make("div", {}, ...sections)),
    make(
      "p",
      {
        class: "hint",
        text: "With the mouse: a drag in the picture selects a time and a band, in the waveform a time, on the frequency axis a band. A click sets where playing starts. The wheel zooms; with Shift it moves. What is played is the selection, or without one the part that is drawn.",
      },
    ),
    make("p", { class: "actions" }, make("label", {}, box, " Letters act as keys"), button("Close", () => element.close(), { class: "main" })));
  element.classList.add("wide");
}
