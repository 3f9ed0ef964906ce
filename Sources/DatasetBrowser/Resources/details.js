// The column to the right of the picture: what is known of the clip, and its corrections.
import { button, count, decimals, find, hertz, length, make, percent, plural, seconds } from "./elements.js";
import { Flag } from "./columns.js";

const words = {
  relabel: "label",
  add: "added",
  remove: "removed",
  exclude: "excluded",
  include: "included",
  checked: "checked",
  note: "note",
};

function acting(app, key, text, act, properties = {}) {
  return make("button", { type: "button", onclick: act, ...properties }, make("kbd", { text: key, "aria-hidden": "true" }), ` ${text}`);
}

export function showDetails(app) {
  const { columns, corrections } = app;
  const { row, details } = app.pane;
  const parent = find("details");
  if (row < 0) {
    parent.replaceChildren(make(
      "p",
      { class: "soft", text: "Choose a clip in the table: j and k open the next and the previous one." },
    )); return;
  }
  const flags = columns.flags[row];
  const parts = [labels(app, row, flags)];
  if (!columns.isFailure(row)) { parts.push(suspicion(app, row)); }
  parts.push(...buttons(app, row, flags));
  const note = columns.notes.get(row);
  if (note) { parts.push(make("p", { class: "note" }, make("b", { text: "Note " }), note)); }
  if (columns.isFailure(row)) {
    parts.push(make(
      "p",
      { class: "bad" },
      make("b", { text: `Failed: ${columns.failureKind.text(row).replace(/_/g, " ")}` }),
      `, at the stage “${columns.failureStage.text(row)}”. ${columns.failureReason.text(row)}`,
    ));
  }
  parts.push(facts(app, row, details));
  const history = corrections.standing(row);
  if (history.length > 0) { parts.push(historyOf(history)); }
  // What has the focus keeps it, though its element is made anew.
  const held = parent.contains(document.activeElement) ? document.activeElement.textContent : null;
  parent.replaceChildren(...parts);
  if (held) {
    ([...parent.querySelectorAll("button")].find((one) => one.textContent === held) ?? app.current.grid).focus({ preventScroll: true });
  }
}

function labels(app, row, flags) {
  const { columns } = app;
  const current = columns.currentLabels(row);
  const chips = current.map((number) => {
    const [fill, ink] = app.labelColor(columns.labels[number]);
    const chip = make("span", { class: "chip", text: columns.labels[number] });
    chip.style.background = fill;
    chip.style.color = ink;
    return chip;
  });
  if (chips.length === 0) { chips.push(make("span", { class: "soft", text: "no label" })); }
  const line = make("p", { class: "chips" }, ...chips);
  if (flags & Flag.labels) {
    const given = columns.givenLabels(row).map((number) => columns.labels[number]).join(", ") || "none";
    line.append(make("span", { class: "soft" }, "was ", make("s", { text: given })));
  }
  if (flags & Flag.excluded) { line.append(make("span", { class: "tag bad", text: "excluded" })); }
  if (flags & Flag.checked) { line.append(make("span", { class: "tag good", text: "checked" })); }
  if (flags & Flag.unsaved) { line.append(make("span", { class: "tag warn", text: "not saved yet" })); }
  return line;
}

function suspicion(app, row) {
  const { columns } = app;
  const score = columns.score[row];
  const parts = make("div", { class: "suspicion" });
  if (Number.isFinite(score)) {
    const rank = columns.rank[row];
    const meter = make("span", { class: "meter", "aria-hidden": "true" }, make("span"));
    meter.firstChild.style.width = `${Math.max(0, Math.min(100, (score + 1) * 50))}%`;
    meter.firstChild.className = score > 0 ? "high" : "";
    parts.append(make(
      "p",
      {},
      meter,
      ` Suspicion ${decimals(score, 2)}`,
      make("span", { class: "soft", text: rank >= 0 ? `, rank ${count(rank + 1)}` : "" }),
    ));
    const reasons = columns.suspicion.reasons[row] ?? [];
    if (reasons.length > 0) { parts.append(make("p", { class: "soft", text: reasons.map(sentence).join(" ") })); }
  }
  const suggested = columns.suspicion.suggested[row];
  if (suggested && !columns.currentLabels(row).some((number) => columns.labels[number] === suggested)) {
    parts.append(acting(app, "y", `Take the suggested label “${suggested}”`, () => app.takeSuggestion(), { class: "suggest" }));
  }
  return parts;
}

function sentence(text) {
  const first = text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

function buttons(app, row, flags) {
  const group = make("div", { class: "actions", role: "group", "aria-label": "Corrections" },
    acting(app, "r", "Relabel", () => app.relabel()), acting(app, "a", "Add", () => app.addLabel()), acting(app, "q", "Remove", () => app.removeLabel()),
    acting(app, "m", "Checked", () => app.markChecked(), { "aria-pressed": String((flags & Flag.checked) !== 0) }),
    acting(app, "e", "Exclude", () => app.exclude(), { "aria-pressed": String((flags & Flag.excluded) !== 0) }),
    acting(app, "n", "Note", () => app.writeNote()));
  const recent = app.recent.slice(0, 9);
  if (recent.length === 0) { return [group]; }
  return [group, make("div", { class: "recent", role: "group", "aria-label": "Recently used labels" },
    ...recent.map((label, number) => acting(app, String(number + 1), label, () => app.takeRecent(number), { title: `${app.dataset.multilabel ? "Add" : "Relabel as"} ${label}` })))];
}

function facts(app, row, details) {
  const { columns } = app;
  const rows = [
    ["split", columns.splitText(row)],
    ["length", length(details?.duration ?? columns.duration[row])],
    ["frames", details?.frames ? count(details.frames) : ""],
    ["recording", columns.path[row]],
    ["starts at", columns.start[row] > 0 ? seconds(columns.start[row]) : ""],
    ["whole file", details?.recording?.duration > (details?.duration ?? 0) + 0.002 ? length(details.recording.duration) : ""],
    ["rate", details?.sampleRate ? `${hertz(details.sampleRate)}${details.channels > 1 ? `, ${details.channels} channels` : ""}` : ""],
    ["peak", levelText(columns.peak[row])],
    ["RMS", levelText(columns.rms[row])],
    ["at the floor", percent(columns.floorShare[row])],
    ...[...columns.extra].map(([name, column]) => [name, column.text(row)]),
    ["marks", details?.annotations?.length ? plural(details.annotations.length, "mark") : ""],
  ];
  if (details && !details.failure && !details.recording?.found && details.recording?.message) {
    rows.push(["no sound", details.recording.message]);
  }
  if (details?.recording?.found && details.recording.message) { rows.unshift(["attention", details.recording.message]); }
  return make(
    "dl",
    { class: "facts" },
    ...rows.filter(([, text]) => text !== "").map(([name, text]) => make("div", {}, make("dt", { text: name }), make("dd", { text }))),
  );
}

export function levelText(value) {
  return Number.isFinite(value) ? `${decimals(value, 1)} dBFS` : "";
}

function historyOf(history) {
  const items = history.slice(-6).reverse().map(({ action, label, note, given }) => {
    const time = given ? new Date(given) : null;
    const when = time && !Number.isNaN(time.getTime()) ? time.toLocaleString(
      "en-GB",
      { dateStyle: "short", timeStyle: "short" },
    ) : "not saved yet";
    return make("li", {}, `${words[action] ?? action} ${label || note}`.trim(), make("span", { class: "soft", text: ` ${when}` }));
  });
  return make("div", { class: "history" }, make("h3", { text: "Corrections" }), make("ul", {}, ...items));
}
