// Elements and texts. Everything that comes from the dataset becomes a text node, never markup.

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) { continue; }
    if (name === "text") { element.textContent = value; }
    else if (name.startsWith("on")) { element.addEventListener(name.slice(2), value); }
    else { element.setAttribute(name, value === true ? "" : value); }
  }
  element.append(...children);
  return element;
}

export const find = (id) => document.getElementById(id);

export function count(number) {
  return Math.round(number).toLocaleString("en");
}

export function plural(number, one, many = one + "s") {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function seconds(time, digits = 3) {
  return Number.isFinite(time) ? `${time.toFixed(digits).replace("-", "−")} s` : "";
}

/** A length as the table shows it: three digits that matter, minutes from 100 s on. */
export function length(time) {
  if (!Number.isFinite(time)) { return ""; }
  if (time < 100) { return `${time.toFixed(time < 10 ? 3 : 2)} s`; }
  const whole = Math.round(time);
  const rest = String(whole % 60).padStart(2, "0");
  return whole < 3600 ? `${Math.floor(whole / 60)} min ${rest} s`
    : `${Math.floor(whole / 3600)} h ${String(Math.floor(whole / 60) % 60).padStart(2, "0")} min`;
}

export function hertz(frequency) {
  if (!Number.isFinite(frequency)) { return ""; }
  return frequency >= 10000 ? `${(frequency / 1000).toFixed(2)} kHz` : `${count(frequency)} Hz`;
}

export function decimals(value, digits) {
  return Number.isFinite(value) ? value.toFixed(digits).replace("-", "−") : "";
}

export function percent(share) {
  if (!Number.isFinite(share)) { return ""; }
  return share > 0 && share < 0.001 ? "< 0.1 %" : `${(share * 100).toFixed(1)} %`;
}

let clearing = 0;

/** Says something that happened, for eyes and for screen readers. */
export function say(text) {
  const status = find("status");
  status.textContent = text;
  status.classList.add("shown");
  clearTimeout(clearing);
  clearing = setTimeout(() => status.classList.remove("shown"), 4000);
}

const banners = new Map();

/** A lasting message above the clip; without text it disappears. */
export function banner(name, text, ...actions) {
  if (banners.get(name)?.dataset.text === text && actions.length === 0) { return; }
  banners.get(name)?.remove();
  banners.delete(name);
  if (!text) { return; }
  const element = make("div", { class: "banner", role: "alert", "data-name": name }, make("p", { text }), ...actions);
  element.dataset.text = text;
  banners.set(name, element);
  find("banners").append(element);
}

export function button(text, action, properties = {}) {
  return make("button", { type: "button", text, onclick: action, ...properties });
}

/** Settings that outlive the page. A browser may forbid the storage; the page works without it. */
export const memory = {
  get(name, otherwise) {
    try {
      const text = localStorage.getItem(`veery-setting-${name}`);
      return text === null ? otherwise : JSON.parse(text);
    } catch { return otherwise; }
  },
  set(name, value) {
    try { localStorage.setItem(`veery-setting-${name}`, JSON.stringify(value)); } catch { /* kept for this page only */ }
  },
};
