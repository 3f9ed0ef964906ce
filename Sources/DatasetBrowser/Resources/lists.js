// The two tables: their columns and what their cells say.
import { decimals, length, percent } from "./elements.js";
import { Flag } from "./columns.js";

/** The width in pixels that most texts of a column need, from a sample of them. */
function widthOf(texts, least, most) {
  let longest = 0;
  const step = Math.max(1, Math.floor(texts.length / 200));
  for (let i = 0; i < texts.length; i += step) { longest = Math.max(longest, (texts[i] ?? "").length); }
  return Math.max(least, Math.min(most, Math.round(longest * 7.4 + 26)));
}

function stateText(flags) {
  if (flags === 0) { return ""; }
  return [
    [Flag.unsaved, "…"],
    [Flag.excluded, "✕"],
    [Flag.checked, "✓"],
    [Flag.labels, "✎"],
    [Flag.note, "¶"],
  ].filter(([bit]) => flags & bit).map(([, sign]) => sign).join(" ");
}

export function clipColumns(columns) {
  const { dataset } = columns;
  const failed = (row) => (columns.isFailure(row) ? "bad" : "");
  const list = [
    {
      name: "state",
      title: "State",
      width: 66,
      cell: (row) => stateText(columns.flags[row]),
      hint: "… not saved yet, ✕ excluded, ✓ checked, ✎ relabelled, ¶ note",
      style: () => "sign",
    },
    {
      name: "id",
      title: "Clip",
      width: widthOf(columns.id.slice(0, Math.min(columns.loaded, 2000)), 110, 260),
      cell: (row) => columns.id[row],
      style: (row) => (columns.flags[row] & Flag.excluded ? "struck" : ""),
    },
    {
      name: "label",
      title: "Label",
      width: widthOf(columns.labels, 80, 190),
      cell: (row) => columns.labelText(row),
      style: (row) => (columns.flags[row] & Flag.labels ? "changed" : ""),
    },
  ];
  if (dataset.splits.length > 0) {
    list.push({ name: "split", title: "Split", width: widthOf(dataset.splits, 62, 120), cell: (row) => columns.splitText(row) });
  }
  list.push(
    { name: "length", title: "Length", width: 82, number: true, cell: (row) => length(columns.duration[row]) },
    {
      name: "suspicion",
      title: "Suspicion",
      width: 110,
      number: true,
      cell: (row) => decimals(columns.score[row], 2),
      style: (row) => (columns.score[row] > 0 ? "high" : ""),
      hint: "From −1 to 1: above 0 the clip is more like those of another label",
    },
    { name: "why", title: "Reason", width: 230, grows: true, cell: (row) => columns.reasons(row), style: failed },
    { name: "peak", title: "Peak", width: 66, number: true, cell: (row) => decimals(columns.peak[row], 1), hint: "Peak level in dBFS" },
    { name: "rms", title: "RMS", width: 66, number: true, cell: (row) => decimals(columns.rms[row], 1), hint: "RMS level in dBFS" });
  if (dataset.kind === "features") {
    list.push({
      name: "floor",
      title: "At floor",
      width: 76,
      number: true,
      cell: (row) => percent(columns.floorShare[row]),
      hint: "Share of the values at the scale's floor",
    });
  }
  for (const [name, column] of columns.extra) {
    list.push({
      name: `column:${name}`,
      title: name,
      width: widthOf([name + "  ", ...column.texts.slice(0, 2000)], 64, 200),
      cell: (row) => column.text(row),
    });
  }
  return list;
}

/** Rows of this table are numbers of pairs. */
export function pairColumns(columns) {
  const pair = (number) => columns.suspicion.pairs[number];
  return [
    {
      name: "similarity",
      title: "Similarity",
      width: 88,
      number: true,
      cell: (number) => (pair(number).equal ? "equal" : pair(number).similarity.toFixed(4)),
    },
    {
      name: "splits",
      title: "Splits",
      width: 150,
      cell: (number) => [pair(number).a, pair(number).b].map((row) => columns.splitText(row) || "none").join(" | "),
      style: (number) => (pair(number).splits ? "high" : ""),
    },
    { name: "a", title: "Clip", width: 220, grows: true, cell: (number) => columns.id[pair(number).a] },
    { name: "labelA", title: "Label", width: 130, cell: (number) => columns.labelText(pair(number).a) },
    { name: "b", title: "Near duplicate", width: 220, grows: true, cell: (number) => columns.id[pair(number).b] },
    {
      name: "labelB",
      title: "Label",
      width: 130,
      cell: (number) => columns.labelText(pair(number).b),
      style: (number) => (columns.labelText(pair(number).a) !== columns.labelText(pair(number).b) ? "high" : ""),
    },
  ];
}
