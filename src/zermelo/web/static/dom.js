// Making elements, and saying things.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("aria-") && typeof value === "boolean") { element.setAttribute(name, `${value}`); continue; } // "false" says something too
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const $ = (selector) => document.querySelector(selector);
export const percent = (share) => `${Math.round(share * 100)}\u00a0%`;
export const thousands = (number) => number.toLocaleString("en");

const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3", redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  flag: "M5 21V4h12l-2 4 2 4H5", link: "M10 14a4 4 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1-1",
  save: "M12 4v11m-5-5 5 5 5-5M5 20h14", theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.5 2.8-6 6.5-6s6.5 2.5 6.5 6M16 4.3a3.4 3.4 0 0 1 0 6.4M18 14.4c2.1.8 3.5 2.9 3.5 5.6",
  start: "M18 6l-8 6 8 6M6 5v14", back: "m15 6-7 6 7 6", forward: "m9 6 7 6-7 6", end: "m6 6 8 6-8 6M18 5v14",
  keep: "M6 4h12v16l-6-4-6 4z", close: "M6 6l12 12M18 6 6 18", play: "M7 5v14l12-7z", pause: "M8 5v14M16 5v14",
};
export const icon = (name) => s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

let timer;
export function toast(text) {
  const box = $("#toast");
  box.textContent = text;
  box.classList.add("shown");
  clearTimeout(timer);
  timer = setTimeout(() => box.classList.remove("shown"), 4000);
}

// For those who cannot see the board.
export function say(text) { $("#said").textContent = text; }

// The one dialog: what it is called, and what is in it.
export function dialog(title, ...content) {
  const box = $("#dialog");
  box.setAttribute("aria-label", title);
  box.replaceChildren(...content.flat());
  if (!box.open) box.showModal();
  return box;
}
