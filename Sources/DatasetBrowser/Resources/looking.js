// How clips are drawn and played: settings, the bar of controls, and what its keys do. Methods of App.
import { button, find, hertz, make, memory, say } from "./elements.js";
import { greys } from "./picture.js";
import { SPEEDS, speedText } from "./sound.js";
import { askPart } from "./dialogs.js";

export const CONTEXTS = [0, 1, 2, 5, 10];
/** Points of the window; 0 is what is near 23 ms at the recording's rate. */
const SIZES = [0, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

const pictureNames = { stored: "Stored features", undone: "Not normalised", recording: "Recording" };

export function readSettings() {
  const settings = {
    context: 0,
    size: 0,
    grey: false,
    quiet: 0,
    loud: 0,
    frequencies: null,
    speed: 1,
    loop: false,
    autoplay: false,
    letters: true,
    height: 0,
    picture: "",
  };
  for (const name of Object.keys(settings)) { settings[name] = memory.get(name, settings[name]); }
  if (!SIZES.includes(settings.size)) { settings.size = 0; }
  if (!SPEEDS.includes(settings.speed)) { settings.speed = 1; }
  if (!CONTEXTS.includes(settings.context)) { settings.context = 0; }
  return settings;
}

export const looking = {
  set(name, value) {
    this.settings[name] = value;
    memory.set(name, value);
    this.showToolbar();
  },

  buildToolbar() {
    const select = (label, values, text, act) => {
      const element = make(
        "select",
        { "aria-label": label, title: label },
        ...values.map((value) => make("option", { value: String(value), text: text(value) })),
      );
      element.addEventListener("change", () => { act(Number(element.value)); this.current.focus(); });
      return element;
    };
    const toggle = (text, title, act) => button(text, act, { title, "aria-pressed": "false" });
    this.tools = {
      play: button("Play", () => this.playOrPause(), { class: "main", title: "Play or pause (Space)", id: "play" }),
      loop: toggle("Repeat", "Repeat the part (l)", () => this.toggle("loop")),
      autoplay: toggle("Autoplay", "Play each clip as it is opened (o)", () => this.toggle("autoplay")),
      speed: select("Speed, with its pitch (, and .)", SPEEDS, speedText, (value) => this.setSpeed(value)),
      picture: select(
        "What is drawn (v)",
        this.pictures.map((_, number) => number),
        (number) => pictureNames[this.pictures[number]],
        (number) => this.setPicture(this.pictures[number]),
      ),
      context: select(
        "Context before and after (c)",
        CONTEXTS,
        (value) => (value === 0 ? "no context" : `± ${value} s`),
        (value) => this.setContext(value),
      ),
      size: select(
        "Points of the spectrogram's window (f)",
        SIZES,
        (value) => (value === 0 ? "FFT auto" : `FFT ${value}`),
        (value) => this.setSize(value),
      ),
      grey: toggle("Greys", "Greys, or colours (b)", () => this.toggle("grey")),
      quieter: button("Weak +", () => this.changeRange("quiet", -1), { title: "Show quieter sounds ([)" }),
      louder: button("Weak −", () => this.changeRange("quiet", 1), { title: "Hide quiet sounds (])" }),
      whole: button("Whole", () => this.showWhole(), { title: "The whole clip, all frequencies (w)" }),
    };
    this.clock = make("span", { class: "clock", id: "clock" });
    find("toolbar").append(...Object.values(this.tools), this.clock);
    this.showToolbar();
  },

  showToolbar() {
    const { tools, settings } = this;
    if (!tools) { return; }
    tools.play.textContent = this.player.playing ? "❚❚ Pause" : "▶ Play";
    for (const name of ["loop", "autoplay", "grey"]) { tools[name].setAttribute("aria-pressed", String(settings[name])); }
    tools.speed.value = String(settings.speed);
    tools.speed.classList.toggle("set", settings.speed !== 1);
    tools.context.value = String(settings.context);
    tools.size.value = String(settings.size);
    tools.size.disabled = this.picture !== "recording";
    tools.picture.value = String(this.pictures.indexOf(this.picture));
    tools.picture.disabled = this.pictures.length < 2;
  },

  /** What can be drawn: the stored tensor, the same with its normalisation undone, the recording's spectrogram. */
  get pictures() {
    const { kind, units } = this.dataset;
    if (kind !== "features") { return ["recording"]; }
    return /^(zscore|minmax|mean|range) of |^normalised /.test(units ?? "") ? ["stored", "undone", "recording"] : ["stored", "recording"];
  },

  get picture() { return [this.view.picture, this.settings.picture, this.pictures[0]].find((name) => this.pictures.includes(name)); },

  colours() {
    if (!this.settings.grey) { return this.colors.map; }
    return this.colors.dark ? (this.whiteOnBlack ??= greys(true)) : (this.blackOnWhite ??= greys(false));
  },

  everyPane(act) { this.panes.forEach(act); },

  toggle(name) {
    this.set(name, !this.settings[name]);
    if (name === "loop") { this.player.setLoop(this.settings.loop); }
    if (name === "grey") { this.everyPane((pane) => pane.draw()); }
    say({ loop: "Repeat", autoplay: "Autoplay", grey: "Greys" }[name] + (this.settings[name] ? " on" : " off"));
  },

  togglePicture() {
    const { pictures } = this;
    if (pictures.length > 1) { this.setPicture(pictures[(pictures.indexOf(this.picture) + 1) % pictures.length]); }
  },

  setPicture(name) {
    this.view.picture = name;
    this.set("picture", name);
    say(pictureNames[name]);
    this.everyPane((pane) => pane.reload());
    this.viewChanged();
  },

  setContext(value) {
    this.set("context", value);
    say(value === 0 ? "No context" : `Context of ${value} s before and after`);
    this.everyPane((pane) => { if (pane.row >= 0) { pane.open(pane.row, { selection: pane.selection }); } });
    this.viewChanged();
  },

  nextContext() { this.setContext(CONTEXTS[(CONTEXTS.indexOf(this.settings.context) + 1) % CONTEXTS.length]); },

  setSize(value) {
    this.set("size", value);
    say(value === 0 ? "Windows of about 23 ms" : `Windows of ${value} points`);
    this.everyPane((pane) => { if (pane.row >= 0 && !pane.isStored) { pane.refresh(); } });
  },

  async changeSize(factor) {
    if (this.picture !== "recording") { say("The window is that of the stored features. v shows the recording."); return; }
    await this.pane.ready;
    this.setSize(Math.max(SIZES[1], Math.min(SIZES[SIZES.length - 1], this.pane.windowSize * factor)));
  },

  changeRange(name, step) {
    this.set(name, Math.max(-10, Math.min(10, this.settings[name] + step)));
    this.everyPane((pane) => pane.draw());
    const { raster } = this.pane;
    if (raster) {
      const [low, high] = this.pane.valueRange();
      say(`Colours from ${low.toFixed(1)} to ${high.toFixed(1)} ${raster.units}`.replace(/-/g, "−"));
    }
  },

  // Playing

  async playOrPause() {
    const { player, pane } = this;
    if (player.playing) { player.pause(); return; }
    const { part } = player;
    const same = part && part.owner === pane && part.sound === pane.sound && part.wanted === player.speed
      && part.from === pane.part[0] && part.to === pane.part[1] && !player.element.ended && player.element.currentTime > 0;
    if (same) { await player.resume(); return; }
    await this.playFrom(pane.position);
  },

  async playFromStart() { await this.playFrom(null); },

  async playFrom(position) {
    const { pane } = this;
    if (pane.row < 0) { return; }
    const opened = pane.abort;
    try {
      await pane.ready;
      const sound = await pane.loadSound();
      if (pane.abort !== opened) { return; }
      const [from, to] = pane.part;
      const at = position !== null && position > from && position < to ? position : undefined;
      await this.player.play(pane, sound, from, to, at);
      const { wanted, speed } = this.player.part ?? {};
      if (speed !== wanted) { say(`The browser cannot play this sample rate at ${speedText(wanted)}: this is ${speedText(speed)}.`); }
    } catch (error) {
      if (error.name === "AbortError") { return; }
      say(error.name === "NotAllowedError" ? "The browser plays sound only after a key or a click in the page." : `This cannot be played: ${error.message}`);
    }
  },

  playerChanged(event) {
    this.showToolbar();
    if (event === "error") { say("The browser cannot play this sound."); }
    if (event === "ended") { this.everyPane((pane) => { pane.position = null; }); }
    this.follow();
  },

  /** Draws the line at what is heard, for as long as something is. */
  follow() {
    cancelAnimationFrame(this.frame);
    const { player } = this;
    if (player.part) {
      const time = player.now();
      this.clock.textContent = `${time.toFixed(2).replace("-", "−")} s`;
      player.part.owner.drawOverlay();
    }
    if (player.playing) { this.frame = requestAnimationFrame(() => this.follow()); }
  },

  /** A click in the picture: playing goes on from there. */
  seek(pane, time) {
    const { player } = this;
    if (player.part?.owner !== pane) { return; }
    if (player.playing && time >= player.part.first && time < player.part.last) { player.seek(time); } else { player.stop(); this.showToolbar(); }
  },

  /** The selection or the part has changed: what plays no longer is what is drawn. */
  selected(pane) {
    const { part } = this.player;
    if (part?.owner === pane && (part.from !== pane.part[0] || part.to !== pane.part[1])) {
      const wasPlaying = this.player.playing;
      this.player.stop();
      if (wasPlaying) { this.playFrom(null); }
    }
    this.viewChanged();
    pane.readoutText();
  },

  async setSpeed(value) {
    const { player } = this;
    this.set("speed", value);
    const wasPlaying = player.playing;
    const time = player.now();
    player.speed = value;
    say(value === 1 ? "Normal speed" : `${value < 1 ? "Slower" : "Faster"}: ${speedText(value)}; the pitch moves with it`);
    if (wasPlaying) { await this.playFrom(time); }
  },

  changeSpeed(step) {
    const index = SPEEDS.indexOf(this.settings.speed) + step;
    if (index >= 0 && index < SPEEDS.length) { this.setSpeed(SPEEDS[index]); }
  },

  setBand(band) {
    this.player.setBand(band && band[1] - band[0] > 1 ? band : null);
    this.everyPane((pane) => { pane.readoutText(); pane.drawOverlay(); });
    if (band) { say(`Only ${band.map(hertz).join(" to ")} is heard`); }
    this.viewChanged();
  },

  // Selection

  clearSelection() {
    const { pane } = this;
    if (pane.selection) { pane.setSelection(null); }
    else if (this.player.band) { this.setBand(null); say("All frequencies are heard"); }
    else { pane.position = null; this.player.stop(); this.showToolbar(); pane.drawOverlay(); }
  },

  edge(which) {
    const { pane } = this;
    const time = pane.cursor?.time ?? pane.heard ?? pane.time[which];
    const edges = (pane.selection ?? pane.time).slice();
    edges[which] = time;
    if (edges[1] - edges[0] < 0.001) { edges[1 - which] = pane.time[1 - which]; }
    if (edges[1] > edges[0]) { pane.setSelection(edges); }
  },

  async askPart() {
    const { pane } = this;
    const text = (number, digits) => (number === undefined || number === null ? "" : String(Number(number.toFixed(digits))));
    const answer = await askPart({
      from: text(pane.selection?.[0] ?? pane.heard, 4),
      to: text(pane.selection?.[1], 4),
      low: text(this.player.band?.[0], 1),
      high: text(this.player.band?.[1], 1),
    });
    this.current.focus();
    if (!answer) { return; }
    const [from, to, low, high] = answer;
    if (low !== null || high !== null) {
      this.setBand([low ?? 0, high ?? (pane.raster?.bands.unit === "Hz" ? pane.raster.bands.highest : 24000)]);
    }
    if (from === null) { return; }
    if (to !== null && to > from) {
      this.showPart(pane, [from, to]); pane.setSelection([Math.max(pane.full[0], from), Math.min(pane.full[1], to)]); return;
    }
    pane.position = Math.max(pane.full[0], Math.min(pane.full[1], from));
    this.showPart(pane, [pane.position, pane.position]);
    this.seek(pane, pane.position);
    pane.drawOverlay();
  },

  /** Moves what is drawn, if a part is outside of it. */
  showPart(pane, [from, to]) {
    const width = Math.max(pane.time[1] - pane.time[0], (to - from) * 1.2);
    if (from < pane.time[0] || to > pane.time[1]) { pane.setTime([(from + to - width) / 2, (from + to + width) / 2]); }
  },

  zoomToSelection() {
    const { pane } = this;
    const { band } = this.player;
    if (!pane.selection && !band) { say("Nothing is selected: drag in the picture, or press t."); return; }
    if (band && pane.raster?.bands.unit === "Hz") { this.set("frequencies", band.slice()); }
    if (pane.selection) { pane.setTime(pane.selection); }
    this.everyPane((one) => one.draw());
  },

  showWhole() {
    this.set("frequencies", null);
    this.pane.setTime(this.pane.full.slice());
    this.everyPane((pane) => pane.draw());
  },
};
