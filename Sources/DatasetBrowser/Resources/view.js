// The view: filters, order, what is open and how it is drawn. All of it is in the address's fragment.

const texts = ["q", "label", "split", "column", "value", "failure", "show", "min", "max", "sort", "clip", "other", "table",
  "picture", "part", "time", "band", "context"];
const defaults = { table: "clips", picture: "" };

export function emptyView() {
  const view = { descending: false };
  for (const name of texts) { view[name] = defaults[name] ?? ""; }
  return view;
}

export function readView(fragment) {
  const view = emptyView();
  let pairs;
  try { pairs = new URLSearchParams(fragment.replace(/^#/, "")); } catch { return view; }
  for (const name of texts) {
    const value = pairs.get(name);
    if (value !== null) { view[name] = value; }
  }
  if (view.sort.startsWith("-")) {
    view.sort = view.sort.slice(1);
    view.descending = true;
  }
  for (const name of ["min", "max"]) {
    if (view[name] !== "" && !Number.isFinite(Number(view[name]))) { view[name] = ""; }
  }
  return view;
}

export function writeView(view) {
  const parts = [];
  for (const name of texts) {
    const value = name === "sort" && view.sort !== "" && view.descending ? `-${view.sort}` : view[name];
    if (value !== (defaults[name] ?? "")) { parts.push(`${name}=${encode(value)}`); }
  }
  return parts.join("&");
}

/** Percent-encoded so that the text may be between apostrophes of a shell. */
function encode(text) {
  let encoded;
  try { encoded = encodeURIComponent(text); } catch { encoded = encodeURIComponent(text.toWellFormed?.() ?? ""); }
  return encoded.replace(/'/g, "%27").replace(/%20/g, "+").replace(/%3A/g, ":").replace(/%2F/g, "/").replace(/%2C/g, ",");
}

export function commandOf(dataset, view) {
  const text = writeView(view);
  return text === "" ? dataset.command : `${dataset.command} --view '${text}'`;
}

/** "1.5,2.25" to two numbers, or null. */
export function numbersOf(text) {
  const parts = text.split(",").map(Number);
  return text !== "" && parts.length === 2 && parts.every(Number.isFinite) && parts[0] < parts[1] ? parts : null;
}

export function textOf(numbers, digits) {
  return numbers ? numbers.map((number) => String(Number(number.toFixed(digits)))).join(",") : "";
}
