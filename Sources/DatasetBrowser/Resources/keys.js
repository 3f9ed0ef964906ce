// All keys, in one table: what help shows is what acts.

export function keyGroups(app) {
  const pane = () => app.pane;
  const group = (title, ...keys) => ({ title, keys: keys.map(([names, shown, text, act]) => ({ names, shown, text, act })) });
  return [
    group("Clips",
      [["j", "ArrowDown"], "j ↓", "next clip", () => app.step(1)],
      [["k", "ArrowUp"], "k ↑", "previous clip", () => app.step(-1)],
      [["PageDown"], "PgDn", "a page down", () => app.step(app.current.page)],
      [["PageUp"], "PgUp", "a page up", () => app.step(-app.current.page)],
      [["Home"], "Home", "first clip", () => app.step(-Infinity)],
      [["End"], "End", "last clip", () => app.step(Infinity)],
      [["/"], "/", "filter by text", () => app.filters.focus()],
      [["0"], "0", "remove all filters", () => app.resetFilters()],
      [["S"], "Shift+S", "most suspicious first", () => app.sortBySuspicion()],
      [["D"], "Shift+D", "clips, or near duplicates", () => app.toggleTable()],
      [["Y"], "Shift+Y", "copy the command of this view", () => app.copyCommand()]),
    group("Listen",
      [[" "], "Space", "play, pause", () => app.playOrPause()],
      [["Enter"], "Enter", "play from the start of the part", () => app.playFromStart()],
      [["l"], "l", "repeat", () => app.toggle("loop")],
      [["o"], "o", "play each clip as it is opened", () => app.toggle("autoplay")],
      [[","], ",", "slower (÷ 10 for bats)", () => app.changeSpeed(-1)],
      [["."], ".", "faster (× 8 for whales)", () => app.changeSpeed(1)],
      [["t"], "t", "go to a time, select by numbers", () => app.askPart()],
      [["s"], "s", "selection starts here", () => app.edge(0)],
      [["d"], "d", "selection ends here", () => app.edge(1)],
      [["Escape"], "Esc", "no selection, then no band", () => app.clearSelection()]),
    group("Look",
      [["+", "="], "+", "zoom in", () => pane().zoom(0.5)],
      [["-"], "−", "zoom out", () => pane().zoom(2)],
      [["ArrowLeft"], "←", "earlier", () => pane().move(-0.25)],
      [["ArrowRight"], "→", "later", () => pane().move(0.25)],
      [["z"], "z", "zoom to the selection or band", () => app.zoomToSelection()],
      [["w"], "w", "the whole clip, all frequencies", () => app.showWhole()],
      [["v"], "v", "stored features, or the recording", () => app.togglePicture()],
      [["c"], "c", "context: 0, 1, 2, 5, 10 s", () => app.nextContext(1)],
      [["f"], "f", "longer windows of the spectrogram", () => app.changeSize(2)],
      [["F"], "Shift+F", "shorter windows", () => app.changeSize(0.5)],
      [["b"], "b", "greys, or colours", () => app.toggle("grey")],
      [["["], "[", "show quieter sounds", () => app.changeRange("quiet", -1)],
      [["]"], "]", "hide quiet sounds", () => app.changeRange("quiet", 1)],
      [["{"], "{", "brighter", () => app.changeRange("loud", -1)],
      [["}"], "}", "darker", () => app.changeRange("loud", 1)],
      [["p"], "p", "two clips: this one and the next; again: one", () => app.togglePin()],
      [["x"], "x", "the other of the two clips", () => app.otherPane()]),
    group("Correct",
      [["r"], "r", "another label", () => app.relabel()],
      [["y"], "y", "take the suggested label", () => app.takeSuggestion()],
      [["1", "2", "3", "4", "5", "6", "7", "8", "9"], "1 … 9", "a recently used label", (key) => app.takeRecent(Number(key) - 1)],
      [["a"], "a", "add a label", () => app.addLabel()],
      [["q"], "q", "remove a label", () => app.removeLabel()],
      [["m"], "m", "mark as checked, and go on", () => app.markChecked()],
      [["e"], "e", "exclude, or include again", () => app.exclude()],
      [["n"], "n", "note", () => app.writeNote()],
      [["g"], "g", "correct all clips of the table", () => app.correctAll()],
      [["u"], "u Ctrl+Z", "undo", () => app.undo()],
      [["U"], "Shift+U Ctrl+Y", "redo", () => app.redo()],
      [["?"], "?", "this list", () => app.showHelp()]),
  ];
}

/** Acts on keys anywhere but in fields and dialogs, and keeps the page from scrolling by them. */
export function listen(app, groups) {
  const acts = new Map();
  for (const { keys } of groups) { for (const { names, act } of keys) { names.forEach((name) => acts.set(name, act)); } }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) { return; }
    const { target } = event;
    if (target.closest("input, select, textarea")) {
      if (event.key === "Escape") { event.preventDefault(); app.current.focus(); }
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      const act = { z: () => app.undo(), Z: () => app.redo(), y: () => app.redo() }[event.key];
      if (act && !event.altKey) { event.preventDefault(); act(); }
      return;
    }
    if (event.altKey) { return; }
    if (target.closest("button, a, [role=separator]") && [" ", "Enter", "ArrowUp", "ArrowDown"].includes(event.key)) { return; }
    const act = acts.get(event.key);
    if (!act || (event.key.length === 1 && event.key !== " " && event.key !== "?" && !app.settings.letters)) { return; }
    event.preventDefault();
    app.held = event.repeat;
    act(event.key);
  });
  document.addEventListener("keyup", () => { app.held = false; });
  // A button that was clicked does not keep the keys.
  document.addEventListener("click", (event) => {
    if (event.detail > 0 && event.target.closest("button") && !event.target.closest("dialog") && !document.querySelector("dialog[open]")) {
      app.current.focus();
    }
  });
}
