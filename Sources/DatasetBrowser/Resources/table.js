// A table of any number of rows, of which only those in sight exist as elements.
import { make } from "./elements.js";

const ROW = 24;
/** Browsers cut off what is higher than about 17 million pixels: then the position of the scroll bar is a share. */
const HIGHEST = 12000000;

export class Table {
  /** columns: [{ name, title, width, cell(row) → text, style(row) → class, number, sortable, hint }] */
  constructor(parent, { label, columns, open, sort }) {
    this.columns = columns;
    this.open = open;
    this.sort = sort;
    this.count = 0;
    this.at = (index) => index;
    this.active = -1;
    this.nodes = [];
    this.prefix = parent.id;
    this.head = make("div", { class: "table-row head", role: "row", "aria-rowindex": "1" });
    this.body = make("div", { class: "table-body", role: "rowgroup" });
    this.grid = make("div", { class: "grid", role: "grid", tabindex: "0", "aria-label": label, "aria-colcount": String(columns.length) },
      make("div", { class: "table-head", role: "rowgroup" }, this.head), this.body);
    this.empty = make("p", { class: "empty", hidden: true });
    parent.append(this.grid, this.empty);
    this.headers = columns.map((column) => this.header(column));
    this.head.append(...this.headers);
    this.grid.addEventListener("scroll", () => this.draw(), { passive: true });
    this.body.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => this.draw()).observe(this.grid);
    this.layOut();
  }

  header(column) {
    const cell = make("div", { role: "columnheader", class: column.number ? "cell number" : "cell", title: column.hint });
    if (column.sortable === false || !this.sort) { cell.textContent = column.title; return cell; }
    cell.append(make("button", { type: "button", onclick: () => this.sort(column.name) }, make("span", { text: column.title })));
    return cell;
  }

  layOut() {
    const widths = this.columns.map((column) => (column.grows ? `minmax(${column.width}px, 1fr)` : `${column.width}px`));
    this.grid.style.setProperty("--columns", widths.join(" "));
    const least = this.columns.reduce((sum, column) => sum + column.width, 0);
    this.grid.style.setProperty("--least", `${least}px`);
  }

  showOrder(name, descending) {
    this.columns.forEach((column, index) => {
      const header = this.headers[index];
      if (column.name === name) { header.setAttribute("aria-sort", descending ? "descending" : "ascending"); }
      else { header.removeAttribute("aria-sort"); }
    });
  }

  /** The rows are those that `at` returns for the indices from 0 to count − 1. */
  show(count, at, active = -1, emptyText = "") {
    this.count = count;
    this.at = at;
    this.active = active;
    this.grid.setAttribute("aria-rowcount", String(count + 1));
    this.body.style.height = `${Math.min(count * ROW, HIGHEST)}px`;
    this.empty.hidden = count > 0 || emptyText === "";
    this.empty.textContent = emptyText;
    if (active >= 0) { this.reveal(active); }
    this.draw();
  }

  get visible() { return Math.max(ROW, this.grid.clientHeight - ROW); }

  /** Pixels that the list would be scrolled down, if it had its real height. */
  get offset() {
    const real = this.count * ROW - this.visible;
    const shown = Math.min(this.count * ROW, HIGHEST) - this.visible;
    return real <= 0 || shown <= 0 ? 0 : Math.min(real, this.grid.scrollTop * (real / shown));
  }

  set offset(pixels) {
    const real = this.count * ROW - this.visible;
    const shown = Math.min(this.count * ROW, HIGHEST) - this.visible;
    this.exact = real <= 0 ? 0 : Math.max(0, Math.min(real, pixels));
    this.grid.scrollTop = real <= 0 ? 0 : this.exact * (shown / real);
    this.exactTop = this.grid.scrollTop;
  }

  reveal(index) {
    const top = index * ROW;
    const offset = this.currentOffset();
    if (top < offset) { this.offset = top; }
    else if (top + ROW > offset + this.visible) { this.offset = top + ROW - this.visible; }
  }

  /** A whole pixel of a capped scroll bar is more than one of the list; what was asked for exactly is kept exactly. */
  currentOffset() {
    return this.exact !== undefined && this.exactTop === this.grid.scrollTop ? this.exact : this.offset;
  }

  draw() {
    const offset = this.currentOffset();
    const first = Math.floor(offset / ROW);
    const number = Math.max(0, Math.min(this.count - first, Math.ceil(this.visible / ROW) + 1));
    while (this.nodes.length < number) { this.addNode(); }
    const base = this.grid.scrollTop - offset;
    let described = "";
    this.nodes.forEach((node, position) => {
      const hidden = position >= number;
      if (node.element.hidden !== hidden) { node.element.hidden = hidden; }
      if (hidden) { return; }
      const index = first + position;
      this.write(node, index, base + index * ROW);
      if (index === this.active) { described = node.element.id; }
    });
    if (described) { this.grid.setAttribute("aria-activedescendant", described); }
    else { this.grid.removeAttribute("aria-activedescendant"); }
  }

  addNode() {
    const cells = this.columns.map((column) => make("div", { role: "gridcell", class: column.number ? "cell number" : "cell" }, ""));
    const element = make("div", { class: "table-row", role: "row", id: `${this.prefix}-row-${this.nodes.length}` });
    element.append(...cells);
    this.nodes.push({ element, cells, texts: cells.map(() => ""), styles: cells.map(() => "") });
    this.body.append(element);
  }

  write(node, index, top) {
    const row = this.at(index);
    node.index = index;
    node.element.style.transform = `translateY(${top}px)`;
    node.element.setAttribute("aria-rowindex", String(index + 2));
    node.element.setAttribute("aria-selected", String(index === this.active));
    node.element.classList.toggle("active", index === this.active);
    this.columns.forEach((column, number) => {
      const text = column.cell(row);
      if (node.texts[number] !== text) {
        node.cells[number].firstChild.data = text;
        node.texts[number] = text;
        if (text.length * 6 > column.width) { node.cells[number].title = text; } else { node.cells[number].removeAttribute("title"); }
      }
      const style = column.style ? column.style(row) : "";
      if (node.styles[number] !== style) {
        node.cells[number].className = `${column.number ? "cell number" : "cell"} ${style}`;
        node.styles[number] = style;
      }
    });
  }

  clicked(event) {
    const element = event.target.closest(".table-row");
    const node = this.nodes.find((one) => one.element === element);
    if (node) { this.move(node.index); }
  }

  /** Opens the row at an index; outside the table it is the nearest. */
  move(index) {
    if (this.count === 0) { return; }
    this.active = Math.max(0, Math.min(this.count - 1, index));
    this.reveal(this.active);
    this.draw();
    this.open(this.at(this.active), this.active);
  }

  get page() { return Math.max(1, Math.floor(this.visible / ROW) - 1); }

  focus() { this.grid.focus({ preventScroll: true }); }
}
