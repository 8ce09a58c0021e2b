// Keys: what each does, and the list of them.

import { $, dialog, h } from "./dom.js";

const LIST = [
  ["← ↑ → ↓", "move on the board"], ["Enter", "play there"], ["1 … 9", "play in this column, or this move"],
  ["U / R", "undo, redo"], ["N / X", "new game, resign"], ["[ / ]", "look one move back, or forward"], ["{ / }", "to the start, to the end"],
  ["A / W", "analyse, or stop; the whole game"], ["M", "next mistake"], ["V", "on the board: search or network"],
  ["E / K", "try moves out; keep the variation"], ["B / Y", "back to the game; play on from here"],
  ["H / T", "moves; search tree"], [", / . / >", "one simulation back, forward, ten"],
  ["G / P / O", "play, next puzzle, runs"], ["I / L", "invite, copy a link"], ["S / F", "save, open a file"], ["D", "light or dark"], ["?", "this list"],
];

export function help() {
  dialog("Keys", h("h1", {}, "Keys"), h("dl", { class: "keys" }, LIST.map(([key, what]) => [h("dt", {}, key.split(" / ").map((one) => h("kbd", {}, one))), h("dd", {}, what)])),
    h("div", { class: "row end" }, h("span", { class: "grow" }), h("button", { class: "primary", onclick: () => $("#dialog").close() }, "Close")));
}

// `press` are functions by key, `digit` plays a move by its number.
export function listen(board, press, digit) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("#dialog").open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const onButton = event.target.tagName === "BUTTON" || event.target.getAttribute?.("role") === "slider";
    const arrow = event.key.startsWith("Arrow");
    if (arrow && !onButton && board.element) board.element.focus({ preventScroll: true });
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (board.hasFocus && board.key(event.key)) event.preventDefault();
    else if (/^[0-9]$/.test(event.key)) digit(event.key);
    else if (press[name] && !event.repeat) { press[name](); event.preventDefault(); }
    else if (press[name] && "[]{},.>".includes(name)) press[name]();
  });
}

// Along a row of tabs, arrow keys go from one to the next, as screen readers expect.
export function tabs(row) {
  row.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], all = [...row.querySelectorAll("[role=tab]")];
    if (!step) return;
    const next = all[(all.indexOf(event.target) + step + all.length) % all.length];
    next.click();
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  });
}
