// The bar of filters above the table.
import { button, find, make } from "./elements.js";

const shown = [["", "all clips"], ["suspicious", "suspicious"], ["unchecked", "not checked"], ["checked", "checked"], ["corrected", "corrected"],
  ["relabelled", "relabelled"], ["excluded", "excluded"], ["kept", "not excluded"], ["noted", "with a note"], ["unlabelled", "without a label"]];

export class Filters {
  constructor(dataset, columns, view, changed) {
    this.dataset = dataset;
    this.columns = columns;
    this.view = view;
    this.changed = changed;
    this.fields = {};
    this.bar = find("filters");
    this.number = make("span", { class: "number", id: "shown", "aria-live": "polite" });
    this.text("q", "Text", "search", "filter-q", "id, path, label, note …");
    this.text("label", "Label", "text", "filter-label", "", this.list("labels", dataset.labels));
    if (dataset.splits.length > 0) {
      this.select("split", "Split", [["", "all splits"], ...dataset.splits.map((name) => [name, name]), ["(none)", "no split"]]);
    }
    this.select("show", "Show", shown);
    if (dataset.failures > 0 || dataset.kind === "manifest") { this.select("failure", "Failures", this.failureKinds()); }
    if (dataset.columns.length > 0) {
      this.select("column", "Column", [["", "column …"], ...dataset.columns.map((name) => [name, name])]);
      this.text("value", "Value", "text", "filter-value", "value", this.list("values", []));
    }
    this.text("min", "Shortest, s", "text", "filter-min", "from s");
    this.text("max", "Longest, s", "text", "filter-max", "to s");
    this.clear = button("Remove filters", () => this.reset(), { title: "Remove all filters (0)" });
    this.bar.append(this.clear, this.number);
    this.take(view);
  }

  failureKinds() {
    return [
      ["", "with failures"],
      ["none", "no failures"],
      ["any", "only failures"],
      ...this.columns.failureKind.texts.map((kind) => [kind, kind.replace(/_/g, " ")]),
    ];
  }

  /** The kinds of failures are known once all clips are loaded. */
  refreshFailures() {
    const { failure } = this.fields;
    if (!failure) { return; }
    failure.replaceChildren(...this.failureKinds().map(([value, text]) => make("option", { value, text })));
    failure.value = this.view.failure;
  }

  list(id, texts) {
    const list = make("datalist", { id: `list-${id}` }, ...texts.slice(0, 1000).map((value) => make("option", { value })));
    this.bar.append(list);
    return list;
  }

  field(name, label, input) {
    this.fields[name] = input;
    input.setAttribute("aria-label", label);
    input.setAttribute("title", label);
    this.bar.append(input);
  }

  text(name, label, type, id, placeholder, list) {
    const input = make(
      "input",
      {
        type,
        id,
        placeholder: placeholder || label.toLowerCase(),
        autocomplete: "off",
        spellcheck: "false",
        list: list?.id,
        class: `filter-${name}`,
      },
    );
    const numeric = name === "min" || name === "max";
    if (numeric) { input.setAttribute("inputmode", "decimal"); }
    input.addEventListener("input", () => {
      clearTimeout(this.later);
      const value = numeric ? input.value.replace(",", ".").trim() : input.value;
      input.setAttribute("aria-invalid", String(numeric && value !== "" && !Number.isFinite(Number(value))));
      if (input.getAttribute("aria-invalid") === "true") { return; }
      this.later = setTimeout(() => { this.view[name] = value; this.apply(); }, this.columns.loaded > 200000 ? 200 : 60);
    });
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); this.done?.(); } });
    this.field(name, label, input);
  }

  select(name, label, choices) {
    const input = make("select", { id: `filter-${name}` }, ...choices.map(([value, text]) => make("option", { value, text })));
    let isPointed = false;
    input.addEventListener("pointerdown", () => { isPointed = true; });
    input.addEventListener("keydown", () => { isPointed = false; });
    input.addEventListener("change", () => {
      // Who chose by the mouse goes on with the keys of the table.
      if (isPointed) { setTimeout(() => this.done?.()); }
      this.view[name] = input.value;
      if (name === "column") { this.view.value = ""; this.fields.value.value = ""; this.refreshValues(); }
      this.apply();
    });
    this.field(name, label, input);
  }

  refreshValues() {
    const column = this.columns.extra.get(this.view.column);
    const texts = (column?.texts ?? []).slice(0, 500).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    find("list-values")?.replaceChildren(...texts.map((value) => make("option", { value })));
    if (this.fields.value) { this.fields.value.disabled = !column; }
  }

  apply() {
    this.mark();
    this.changed();
  }

  mark() {
    for (const [name, input] of Object.entries(this.fields)) { input.classList.toggle("set", this.view[name] !== ""); }
    this.clear.disabled = !this.any;
  }

  get any() { return Object.keys(this.fields).some((name) => this.view[name] !== ""); }

  /** What the filters say, in words. */
  get words() {
    return Object.entries(this.fields).filter(([name]) => this.view[name] !== "")
      .map(([name, input]) => `${input.getAttribute("aria-label").toLowerCase()} ${input.selectedOptions ? input.selectedOptions[0]?.text : this.view[name]}`).join(", ");
  }

  take(view) {
    this.view = view;
    for (const [name, input] of Object.entries(this.fields)) {
      input.value = view[name];
      if (input.selectedIndex === -1) { input.value = ""; view[name] = ""; }
    }
    this.refreshValues();
    this.mark();
  }

  reset() {
    for (const name of Object.keys(this.fields)) { this.view[name] = ""; }
    this.take(this.view);
    this.changed();
  }

  focus() {
    this.fields.q.focus();
    this.fields.q.select();
  }
}
