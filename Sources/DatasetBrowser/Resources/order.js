// Which rows the table shows, and in which order: column after column, on typed arrays.
import { Flag } from "./columns.js";

const NONE = 0xffffffff;

/** Whole numbers in the order of the values; without a value last. */
function keysOfNumbers(values, total) {
  const keys = new Uint32Array(total);
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  for (let row = 0; row < total; row += 1) {
    float[0] = values[row];
    const word = bits[0];
    keys[row] = Number.isNaN(values[row]) ? NONE : word & 0x80000000 ? ~word >>> 0 : (word | 0x80000000) >>> 0;
  }
  return keys;
}

/** Texts in the order of people: 2 before 10. */
function ranksOfTexts(texts) {
  const collator = new Intl.Collator("en", { numeric: true });
  const order = texts.map((_, number) => number).sort((a, b) => collator.compare(texts[a], texts[b]));
  const ranks = new Uint32Array(texts.length);
  order.forEach((number, rank) => { ranks[number] = rank; });
  return ranks;
}

/** Unique texts, such as ids: a comparison by code units, ten times as fast; fast again if they are sorted already. */
function keysOfUniqueTexts(texts, total) {
  const order = new Array(total);
  for (let row = 0; row < total; row += 1) { order[row] = row; }
  order.sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
  const keys = new Uint32Array(total);
  for (let rank = 0; rank < total; rank += 1) { keys[order[rank]] = rank; }
  return keys;
}

function keysOfCodes(column, total) {
  const ranks = ranksOfTexts(column.texts);
  const keys = new Uint32Array(total);
  for (let row = 0; row < total; row += 1) { keys[row] = column.codes[row] < 0 ? NONE : ranks[column.codes[row]]; }
  return keys;
}

function keysOfLabels(columns, total) {
  const ranks = ranksOfTexts(columns.labels);
  const keys = new Uint32Array(total);
  for (let row = 0; row < total; row += 1) {
    const corrected = columns.flags[row] & Flag.labels ? columns.corrected.get(row) : undefined;
    const first = corrected ? corrected[0] : columns.labelOffsets[row] < columns.labelOffsets[row + 1]
      ? columns.labelItems[columns.labelOffsets[row]] : undefined;
    keys[row] = first === undefined ? NONE : ranks[first];
  }
  return keys;
}

const ORDERS = ["id", "path", "label", "split", "why", "state", "suspicion", "length", "start", "peak", "rms", "floor"];

/** Whether clips can be sorted by a name: an address may be of another dataset. */
export function isOrder(columns, name) {
  return ORDERS.includes(name) || name.startsWith("column:") && columns.extra.has(name.slice(7));
}

const cache = new Map();

function keysOf(columns, name) {
  const held = cache.get(name);
  if (held && held.version === columns.version) { return held.keys; }
  const total = columns.loaded;
  let keys;
  if (name === "id") { keys = keysOfUniqueTexts(columns.id, total); }
  else if (name === "path") { keys = keysOfUniqueTexts(columns.path, total); }
  else if (name === "label") { keys = keysOfLabels(columns, total); }
  else if (name === "split") { keys = keysOfCodes({ codes: columns.split, texts: columns.dataset.splits }, total); }
  else if (name === "why") { keys = keysOfCodes(columns.failureKind, total); }
  else if (name === "state") { keys = Uint32Array.from(columns.flags.subarray(0, total), (flags) => (flags ? 255 - flags : NONE)); }
  else if (name === "suspicion") { keys = keysOfNumbers(columns.score, total); }
  else if (name.startsWith("column:")) { keys = keysOfCodes(columns.extra.get(name.slice(7)) ?? columns.failureKind, total); }
  else { keys = keysOfNumbers(columns[{ length: "duration", floor: "floorShare" }[name] ?? name], total); }
  cache.set(name, { version: columns.version, keys });
  return keys;
}

/** A stable sort by 11 bits at a time. */
export function sortRows(rows, keys, descending) {
  const length = rows.length;
  let from = rows;
  let to = new Uint32Array(length);
  const flip = descending ? NONE - 1 : 0;
  const counts = new Uint32Array(2048);
  for (let shift = 0; shift < 32; shift += 11) {
    counts.fill(0);
    for (let i = 0; i < length; i += 1) {
      const key = keys[from[i]];
      counts[((key === NONE || !descending ? key : flip - key) >>> shift) & 2047] += 1;
    }
    let sum = 0;
    let single = false;
    for (let digit = 0; digit < 2048; digit += 1) {
      const number = counts[digit];
      if (number === length) { single = true; }
      counts[digit] = sum;
      sum += number;
    }
    if (single) { continue; }
    for (let i = 0; i < length; i += 1) {
      const row = from[i];
      const key = keys[row];
      to[counts[((key === NONE || !descending ? key : flip - key) >>> shift) & 2047]++] = row;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** The numbers of the texts that a filter means: the one that is equal, otherwise all that contain it. */
function matching(texts, wanted) {
  const marks = new Uint8Array(texts.length);
  const equal = texts.indexOf(wanted);
  if (equal >= 0) { marks[equal] = 1; return marks; }
  const pattern = patternOf(wanted);
  texts.forEach((text, number) => { marks[number] = pattern.test(text) ? 1 : 0; });
  return marks;
}

function patternOf(text) {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "iu");
}

function containing(texts, pattern) {
  return Uint8Array.from(texts, (text) => (pattern.test(text) ? 1 : 0));
}

function hasLabel(columns, row, marks) {
  if (columns.flags[row] & Flag.labels) { return (columns.corrected.get(row) ?? []).some((number) => marks[number]); }
  for (let i = columns.labelOffsets[row]; i < columns.labelOffsets[row + 1]; i += 1) {
    if (marks[columns.labelItems[i]]) { return true; }
  }
  return false;
}

function hasNoLabel(columns, row) {
  return columns.flags[row] & Flag.labels ? (columns.corrected.get(row) ?? []).length === 0
    : columns.labelOffsets[row] === columns.labelOffsets[row + 1];
}

/** The tests of a view, the cheapest first. */
function testsOf(columns, view) {
  const { flags, split, duration, score } = columns;
  const tests = [];
  const show = {
    suspicious: (row) => score[row] > 0,
    corrected: (row) => (flags[row] & ~Flag.unsaved) !== 0,
    relabelled: (row) => (flags[row] & Flag.labels) !== 0,
    excluded: (row) => (flags[row] & Flag.excluded) !== 0,
    kept: (row) => (flags[row] & Flag.excluded) === 0,
    checked: (row) => (flags[row] & Flag.checked) !== 0,
    unchecked: (row) => (flags[row] & Flag.checked) === 0,
    noted: (row) => (flags[row] & Flag.note) !== 0,
    unlabelled: (row) => hasNoLabel(columns, row),
  }[view.show];
  if (show) { tests.push(show); }
  if (view.failure === "none") { tests.push((row) => !columns.isFailure(row)); }
  else if (view.failure === "any") { tests.push((row) => columns.isFailure(row)); }
  else if (view.failure) {
    const code = columns.failureKind.numbers.get(view.failure) ?? -2;
    tests.push((row) => columns.failureKind.codes[row] === code);
  }
  if (view.split !== "") {
    const wanted = view.split === "(none)" ? -1 : columns.dataset.splits.indexOf(view.split);
    tests.push((row) => split[row] === wanted && (wanted >= 0 || view.split === "(none)"));
  }
  if (view.min !== "") { const least = Number(view.min); tests.push((row) => duration[row] >= least); }
  if (view.max !== "") { const most = Number(view.max); tests.push((row) => duration[row] <= most); }
  if (view.label !== "") {
    const marks = matching(columns.labels, view.label);
    tests.push((row) => hasLabel(columns, row, marks));
  }
  const extra = columns.extra.get(view.column);
  if (extra && view.value !== "") {
    const marks = matching(extra.texts, view.value);
    tests.push((row) => extra.codes[row] >= 0 && marks[extra.codes[row]] === 1);
  }
  if (view.q !== "") { tests.push(textTest(columns, view.q)); }
  return tests;
}

function textTest(columns, text) {
  const pattern = patternOf(text);
  const labels = containing(columns.labels, pattern);
  const coded = [...columns.extra.values(), columns.failureReason, columns.failureKind]
    .map((column) => ({ codes: column.codes, marks: containing(column.texts, pattern) }))
    .filter((column) => column.marks.includes(1));
  const anyLabel = labels.includes(1);
  return (row) => pattern.test(columns.id[row]) || pattern.test(columns.path[row])
    || (anyLabel && hasLabel(columns, row, labels))
    || coded.some((column) => column.codes[row] >= 0 && column.marks[column.codes[row]] === 1)
    || (columns.flags[row] & Flag.note ? pattern.test(columns.notes.get(row) ?? "") : false);
}

/** The rows of a view in its order. */
export function rowsOf(columns, view) {
  let rows = new Uint32Array(columns.loaded);
  for (let row = 0; row < rows.length; row += 1) { rows[row] = row; }
  for (const test of testsOf(columns, view)) {
    let kept = 0;
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i];
      if (test(row)) { rows[kept++] = row; }
    }
    rows = rows.subarray(0, kept);
  }
  if (!isOrder(columns, view.sort)) { return rows; }
  return sortRows(rows, keysOf(columns, view.sort), view.descending);
}
