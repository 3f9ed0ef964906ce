// The page of `veery browse`: it puts the parts together, and holds what is open.
import { banner, button, count, find, make, memory, plural, say } from "./elements.js";
import { json, server, watch } from "./server.js";
import { Columns } from "./columns.js";
import { Corrections } from "./corrections.js";
import { correcting } from "./correcting.js";
import { CONTEXTS, looking, readSettings } from "./looking.js";
import { showDetails } from "./details.js";
import { Filters } from "./filters.js";
import { showHelp } from "./dialogs.js";
import { keyGroups, listen } from "./keys.js";
import { clipColumns, pairColumns } from "./lists.js";
import { rowsOf } from "./order.js";
import { Pane } from "./pane.js";
import { coloursOf } from "./picture.js";
import { Player } from "./sound.js";
import { Table } from "./table.js";
import { commandOf, numbersOf, readView, textOf, writeView } from "./view.js";

class App {
  constructor() {
    this.settings = readSettings();
    this.view = readView(location.hash);
    if (CONTEXTS.includes(Number(this.view.context)) && this.view.context !== "") { this.settings.context = Number(this.view.context); }
    this.panes = [];
    this.rows = new Uint32Array(0);
    this.held = false;
    this.colors = {};
    /** Why the server cannot do what the page asks for again and again; empty: it can. */
    this.failures = { saving: "", reading: "" };
  }

  get pane() { return this.panes[this.activePane ?? 0]; }
  get current() { return this.view.table === "pairs" ? this.pairTable : this.table; }
  get serverState() { return server.state; }

  async start() {
    server.listeners.push((state) => this.serverChanged(state));
    this.dataset = await json("/api/dataset");
    server.generation = this.dataset.generation;
    document.title = `${this.dataset.name} – veery browse`;
    find("name").textContent = this.dataset.name;
    this.columns = new Columns(this.dataset);
    this.corrections = new Corrections(this.columns, {
      changed: (clips) => this.corrected(clips), told: () => this.showSaved(), failed: (text) => this.failed({ saving: text }),
    });
    this.readColors();
    this.player = new Player(find("sound"), (event) => this.playerChanged(event));
    this.player.speed = this.settings.speed;
    this.player.setLoop(this.settings.loop);
    this.panes.push(new Pane(find("panes"), this));
    this.activate(this.panes[0]);
    this.buildToolbar();
    this.buildHeader();
    this.divide();
    const loading = this.columns.load((loaded) => this.loadedMore(loaded));
    await loading;
    await this.corrections.open();
    this.filters.refreshFailures();
    this.refresh();
    this.openFromView();
    watch((state) => this.corrections.catchUp(state.corrections), (text) => this.failed({ reading: text }));
    this.offerOrphans();
    this.askSuspicion();
    document.body.dataset.state = "ready";
  }

  // The table

  loadedMore(loaded) {
    if (!this.table) { this.buildTables(); }
    if (loaded < this.columns.total) { this.showFacts(`loading ${count(loaded)} of ${count(this.columns.total)}`); } else { this.showFacts(); }
    // A first page is shown at once; filters and order wait for the rest.
    if (loaded === this.columns.total || this.rows.length === 0) { this.refresh(); }
  }

  buildTables() {
    this.filters = new Filters(this.dataset, this.columns, this.view, () => this.filtered());
    this.filters.done = () => this.current.focus();
    this.table = new Table(find("table"), {
      label: "Clips", columns: clipColumns(this.columns), open: (row) => this.openRow(row), sort: (name) => this.sortBy(name),
    });
    this.pairTable = new Table(
      find("pairs"),
      { label: "Near duplicates", columns: pairColumns(this.columns), open: (number) => this.openPair(number) },
    );
    const across = make("input", { type: "checkbox", id: "across" });
    across.checked = memory.get("across", true);
    across.addEventListener("change", () => { memory.set("across", across.checked); this.showPairs(); });
    this.across = across;
    this.pairNote = make("span", { class: "soft" });
    find("pair-filters").append(make("label", {}, across, " only across splits"), this.pairNote);
    this.table.focus();
  }

  sortBy(name) {
    const { view } = this;
    const falling = ["suspicion", "length", "floor", "state"].includes(name);
    if (view.sort !== name) { view.sort = name; view.descending = falling; }
    else if (view.descending === falling) { view.descending = !falling; }
    else { view.sort = ""; view.descending = false; }
    this.filtered();
  }

  sortBySuspicion() {
    Object.assign(this.view, { sort: "suspicion", descending: true, table: "clips" });
    this.showTable();
    this.filtered();
    if (this.rows.length > 0) { this.table.move(0); }
  }

  filtered() {
    this.refresh();
    this.viewChanged();
  }

  resetFilters() {
    this.filters.reset();
    this.current.focus();
  }

  /** Computes which rows are shown. Corrections alone do not: a clip does not vanish under the hand. */
  refresh() {
    const { columns, view } = this;
    const begin = performance.now();
    this.rows = rowsOf(columns, view);
    const took = performance.now() - begin;
    this.table.showOrder(view.sort, view.descending);
    this.table.show(
      this.rows.length,
      (index) => this.rows[index],
      this.indexOf(this.panes[0].row),
      "No clip matches the filters. 0 removes them.",
    );
    const drawn = performance.now() - begin;
    const { number } = this.filters;
    number.textContent = this.rows.length === columns.loaded ? plural(this.rows.length, "clip") : `${count(this.rows.length)} of ${plural(columns.loaded, "clip")}`;
    number.dataset.milliseconds = took.toFixed(1);
    number.dataset.drawn = drawn.toFixed(1);
    this.showPairs();
  }

  indexOf(row) { return row < 0 ? -1 : this.rows.indexOf(row); }

  showPairs() {
    const { pairs, state, note } = this.columns.suspicion;
    const numbers = pairs.map((_, number) => number).filter((number) => !this.across.checked || pairs[number].splits);
    this.pairNumbers = numbers;
    const text = state === "computing" ? "Being computed …" : pairs.length > 0 ? "No pair is across splits." : note || "There are no near duplicates.";
    this.pairTable.show(numbers.length, (index) => numbers[index], Math.min(this.pairTable.active, numbers.length - 1), text);
    this.pairNote.textContent = numbers.length > 0 ? ` ${plural(numbers.length, "pair")}, the most alike first` : "";
  }

  step(by) {
    const table = this.current;
    if (!table) { return; }
    const from = table.active < 0 ? (by > 0 ? -1 : 0) : table.active;
    table.move(by === Infinity ? table.count - 1 : by === -Infinity ? 0 : from + by);
  }

  toggleTable() {
    this.view.table = this.view.table === "pairs" ? "clips" : "pairs";
    this.showTable();
    this.viewChanged();
  }

  showTable() {
    const pairs = this.view.table === "pairs";
    for (const [id, hidden] of [["table", pairs], ["filters", pairs], ["pairs", !pairs], ["pair-filters", !pairs]]) {
      find(id).hidden = hidden;
    }
    find("tab-clips").setAttribute("aria-pressed", String(!pairs));
    find("tab-pairs").setAttribute("aria-pressed", String(pairs));
    this.current.draw();
    this.current.focus();
  }

  // What is open

  openFromView() {
    this.showTable();
    const { view } = this;
    const first = view.clip === "" ? (this.rows[0] ?? -1) : this.columns.find(view.clip);
    if (view.clip !== "" && first < 0) { say(`There is no clip “${view.clip}”.`); }
    const other = view.other === "" ? -1 : this.columns.find(view.other);
    // Without a key or a click there may be no sound yet: the filter is made when something is played.
    this.player.band = numbersOf(view.band);
    if (first >= 0) { this.openRow(first, { part: numbersOf(view.part), selection: numbersOf(view.time) }); }
    if (other >= 0) { this.addPane(other); }
  }

  openRow(row, options = {}) {
    const pane = this.pane;
    this.player.stop();
    this.showToolbar();
    const ready = pane.open(row, options);
    if (pane === this.panes[0]) {
      this.view.part = textOf(options.part ?? null, 4);
      this.view.time = textOf(options.selection ?? null, 4);
      this.table.active = this.indexOf(row);
      if (this.table.active >= 0) { this.table.reveal(this.table.active); }
      this.table.draw();
    }
    this.showDetails();
    this.viewChanged();
    return ready;
  }

  openPair(number) {
    const pair = this.columns.suspicion.pairs[number];
    this.player.stop();
    if (this.panes.length < 2) { this.addPane(pair.b); } else { this.panes[1].open(pair.b); }
    this.activate(this.panes[0]);
    this.openRow(pair.a);
  }

  addPane(row) {
    const pane = new Pane(find("panes"), this);
    this.panes.push(pane);
    this.activate(this.pane);
    pane.open(row);
    this.viewChanged();
  }

  togglePin() {
    if (this.panes.length > 1) { this.removePane(); return; }
    const { row } = this.pane;
    if (row < 0) { return; }
    this.addPane(row);
    this.activate(this.panes[0]);
    this.step(1);
    say("Two clips: x switches between them, p shows one again");
  }

  removePane() {
    const pane = this.panes.pop();
    pane.reset();
    pane.element.remove();
    this.player.stop();
    this.activate(this.panes[0]);
    this.viewChanged();
    this.showToolbar();
  }

  otherPane() {
    if (this.panes.length < 2) { say("Only one clip is open: p shows two."); return; }
    this.activate(this.panes[1 - this.activePane]);
    say(`Clip ${this.columns.id[this.pane.row]}`);
  }

  activate(pane) {
    const number = this.panes.indexOf(pane);
    const changed = this.activePane !== number;
    this.activePane = number;
    find("panes").classList.toggle("two", this.panes.length > 1);
    this.panes.forEach((one) => one.element.classList.toggle("current", one === pane && this.panes.length > 1));
    if (changed && this.tools) { this.player.pause(); this.showDetails(); }
  }

  /** The server knew more of a clip than the table. */
  known(row, details) {
    if (this.columns.takeDetails(row, details)) { this.table.draw(); }
    if (row === this.pane.row) { this.showDetails(); }
  }

  loaded(pane) {
    this.viewChanged();
    if (pane === this.pane && this.settings.autoplay && !this.held) { this.playFromStart(); }
  }

  hurry() { return this.held; }

  showDetails() { showDetails(this); }

  corrected(clips) {
    this.table?.draw();
    if (this.view.table === "pairs") { this.pairTable.draw(); }
    this.panes.forEach((pane) => { if (clips.has(pane.row)) { pane.describe(); } });
    if (clips.has(this.pane.row)) { this.showDetails(); }
    this.showSaved();
  }

  // The address

  viewChanged() {
    const { view, panes } = this;
    const [first, second] = panes;
    if (first.row >= 0) { view.clip = this.columns.id[first.row]; }
    view.other = second && second.row >= 0 ? this.columns.id[second.row] : "";
    // While a clip is being loaded, these are what it was opened with.
    if (first.details) {
      view.part = first.isZoomed ? textOf(first.time, 4) : "";
      view.time = textOf(first.selection, 4);
    }
    view.band = textOf(this.player.band, 1);
    view.context = this.settings.context > 0 ? String(this.settings.context) : "";
    clearTimeout(this.writing);
    document.body.dataset.address = "changes";
    this.writing = setTimeout(() => {
      history.replaceState(null, "", `#${writeView(view)}`);
      document.body.dataset.address = "written";
    }, 150);
  }

  /** The fragment was changed by hand, or by going back. */
  viewFromAddress() {
    const view = readView(location.hash);
    if (writeView(view) === writeView(this.view)) { return; }
    this.view = view;
    this.filters.take(view);
    this.refresh();
    this.openFromView();
  }

  async copyCommand() {
    const text = commandOf(this.dataset, this.view);
    try {
      await navigator.clipboard.writeText(text);
      say("Copied: the command that opens this view");
    } catch {
      banner("copy", `The browser does not let the page copy. The command is: ${text}`, button("Close", () => banner("copy", "")));
    }
  }

  // The head of the page

  buildHeader() {
    find("tab-clips").addEventListener("click", () => { if (this.view.table === "pairs") { this.toggleTable(); } });
    find("tab-pairs").addEventListener("click", () => { if (this.view.table !== "pairs") { this.toggleTable(); } });
    find("suspicious").addEventListener("click", () => this.sortBySuspicion());
    find("copy").addEventListener("click", () => this.copyCommand());
    find("undo").addEventListener("click", () => this.undo());
    find("batch").addEventListener("click", () => this.correctAll());
    find("help").addEventListener("click", () => this.showHelp());
    this.groups = keyGroups(this);
    listen(this, this.groups);
    window.addEventListener("hashchange", () => this.viewFromAddress());
    window.addEventListener("beforeunload", (event) => { if (this.corrections.unsaved > 0 && !this.leaving) { event.preventDefault(); } });
    for (const query of ["(prefers-color-scheme: dark)", "(resolution: 1dppx)"]) {
      matchMedia(query).addEventListener(
        "change",
        () => { this.readColors(); this.panes.forEach((pane) => pane.draw()); this.showDetails(); },
      );
    }
  }

  showHelp() {
    showHelp({ groups: this.groups, letters: this.settings.letters, setLetters: (on) => this.set("letters", on) });
  }

  showFacts(loading = "") {
    const { dataset } = this;
    const parts = [plural(dataset.clips, "clip")];
    if (dataset.failures > 0) { parts.push(plural(dataset.failures, "failure")); }
    parts.push(plural(dataset.labels.length, "label"));
    if (dataset.kind === "features") { parts.push(dataset.longName); } else { parts.push("manifest, no features"); }
    const { state, done } = this.columns.suspicion;
    if (loading) { parts.push(loading); } else if (state === "computing") { parts.push(`suspicion: ${Math.round((done ?? 0) * 100)} %`); }
    find("facts").textContent = parts.join(" · ");
  }

  showSaved() {
    const { corrections } = this;
    const saved = find("saved");
    saved.textContent = this.savedText();
    saved.classList.toggle("warn", corrections.unsaved > 0);
    const { refused } = corrections;
    if (refused.length > 0) {
      const last = refused[refused.length - 1];
      const text = last.action === "undo" ? `Not undone: ${last.message}`
        : `The server refused ${plural(refused.reduce((sum, one) => sum + one.number, 0), "correction")}: ${last.message}`;
      banner("refused", text, button("Close", () => { refused.length = 0; banner("refused", ""); }));
    }
    if (server.state !== "ok") { this.serverChanged(server.state); }
  }

  failed(texts) {
    const { saving, reading } = Object.assign(this.failures, texts);
    const unsaved = "Corrections cannot be saved at present; the page tries again.";
    banner("failed", saving ? `${unsaved} The server says: ${saving}` : reading && `The corrections cannot be read at present. The server says: ${reading}`);
  }

  serverChanged(state) {
    const unsaved = this.corrections?.unsaved ?? 0;
    const kept = unsaved > 0 ? ` ${plural(unsaved, "correction")} could not be saved. This browser keeps them.` : "";
    const save = unsaved > 0 ? [button("Save them as a file", () => this.download())] : [];
    const name = this.dataset?.name ?? "the dataset";
    const texts = {
      ok: "",
      gone: `The server has ended or does not answer. You can still look at what the page has loaded.${unsaved > 0 ? `${kept} They are sent if it answers again, and offered by the page of its new address if it is started again.` : ""} To start it: ${this.dataset?.command ?? "veery browse"}`,
      refused: `The server was restarted. Open the address that it printed.${kept}`,
      replaced: `Another program changed ${name} or its corrections, or the server now serves another dataset. The page shows what it loaded before. If the server is of another file now, start it again and open the address that it prints.${kept}`,
    };
    document.body.dataset.server = state;
    banner(
      "server",
      this.dataset || state !== "replaced" ? texts[state] : "",
      ...(state === "replaced" && this.dataset ? [button("Load again", () => this.loadAgain(), { class: "main" })] : []),
      ...save,
    );
  }

  loadAgain() {
    this.leaving = !this.corrections.netFull;
    location.reload();
  }

  download() {
    const address = URL.createObjectURL(new Blob([this.corrections.text()], { type: "text/csv" }));
    make("a", { href: address, download: "unsaved-corrections.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  async offerOrphans() {
    for (const orphan of await this.corrections.orphans()) {
      const name = `orphan ${orphan.name}`;
      const close = () => banner(name, "");
      banner(name, `${plural(orphan.number, "correction")} of ${new Date(orphan.at).toLocaleString("en-GB")} ${orphan.number === 1 ? "was" : "were"} not saved.`,
        button("Save now", () => { this.corrections.adopt(orphan); close(); }, { class: "main" }),
        button("Discard", () => { this.corrections.forget(orphan); close(); }));
    }
  }

  async askSuspicion() {
    try {
      for (;;) {
        const answer = await json("/api/suspicion");
        this.columns.takeSuspicion(answer);
        this.showFacts();
        if (answer.state !== "computing") { break; }
        await new Promise((resolve) => setTimeout(resolve, 1000 * (answer.later ?? 2)));
      }
    } catch { return; }
    this.showPairs();
    if (this.view.sort === "suspicion" || this.view.show === "suspicious") { this.refresh(); } else { this.table.draw(); }
    this.showDetails();
    this.offerSuspicious();
    document.body.dataset.suspicion = this.columns.suspicion.state;
  }

  /** The table keeps its order under the reader's hand: a button says how many clips are suspicious, and puts them first. */
  offerSuspicious() {
    const number = this.columns.suspicious;
    find("suspicious").textContent = `${count(number)} suspicious`;
    find("suspicious").hidden = number === 0;
  }

  // Colours and sizes

  readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["line", "soft", "well", "lane", "outside", "selection", "edge", "veil", "accent", "wave", "playing"]) {
      this.colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.colors.dark = matchMedia("(prefers-color-scheme: dark)").matches;
    if (!this.colors.map && this.dataset) {
      const text = atob(this.dataset.colours);
      this.colors.map = coloursOf("colours", Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
    }
  }

  /** A label has the same colour wherever it appears: [fill, ink]. */
  labelColor(label) {
    let hash = 7;
    for (let i = 0; i < label.length; i += 1) { hash = (hash * 31 + label.charCodeAt(i)) >>> 0; }
    const hue = (hash % 24) * 15;
    return this.colors.dark ? [`hsl(${hue} 32% 27%)`, `hsl(${hue} 60% 90%)`] : [`hsl(${hue} 52% 86%)`, `hsl(${hue} 60% 18%)`];
  }

  /** The border between clip and table is moved by the mouse or by keys. */
  divide() {
    const divider = find("divider");
    const set = (height) => {
      const most = document.querySelector("main").clientHeight - 120;
      const value = Math.round(Math.max(200, Math.min(most, height)));
      document.documentElement.style.setProperty("--clip-height", `${value}px`);
      divider.setAttribute("aria-valuenow", String(value));
      memory.set("height", value);
    };
    if (this.settings.height >= 200) { set(this.settings.height); }
    const height = () => find("clip").clientHeight;
    divider.addEventListener(
      "pointerdown",
      (event) => { divider.setPointerCapture(event.pointerId); this.dragging = event.clientY - height(); },
    );
    divider.addEventListener(
      "pointermove",
      (event) => { if (divider.hasPointerCapture(event.pointerId)) { set(event.clientY - this.dragging); } },
    );
    divider.addEventListener("keydown", (event) => {
      if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        event.preventDefault(); set(height() + (event.key === "ArrowUp" ? -20 : 20));
      }
    });
  }
}

for (const methods of [looking, correcting]) { Object.defineProperties(App.prototype, Object.getOwnPropertyDescriptors(methods)); }

const app = new App();
app.start().catch((error) => {
  if (["ok", "replaced"].includes(server.state)) { banner("start", `The page could not be opened: ${error.message}`); }
  document.body.dataset.state = "failed";
});
