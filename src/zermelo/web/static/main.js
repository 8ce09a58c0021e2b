// The page: what is shown, what is asked, and which keys do what.

import { $, h, toast } from "./dom.js";
import { Connection } from "./connection.js";
import { BoardView, colourOf } from "./board.js";
import { Analysis } from "./analysis.js";
import { Tree } from "./tree.js";
import { Setup } from "./setup.js";
import { Runs } from "./runs.js";

const KEYS = [
  ["← ↑ → ↓", "move on the board"], ["Enter", "play there"], ["1 … 9", "play in this column, or this move"],
  ["U / R", "undo, redo"], ["N", "new game"], ["X", "resign"], ["[ / ]", "look one move back, or forward"], ["{ / }", "to the start, to the end"],
  ["A", "analyse, or stop"], ["W", "analyse the whole game"], ["M", "next mistake"], ["V", "policy or search on the board"], ["T / .", "search tree; one more simulation"],
  ["P", "next puzzle"], ["L / S", "copy a link, save the game"], ["?", "this list"],
];

let view = null, hello = null, setup = null, runs = null, page = "play";
const ask = (message) => connection.send(message);
const play = (move) => ask({ do: "move", move, ply: view.ply, table: view.table });
const go = (ply) => ask({ do: "view", ply: Math.max(0, Math.min(view.live, ply)) });
const board = new BoardView($("#board"), play);
const analysis = new Analysis($("#panel-analysis"), board, ask, go);
board.hover = (move) => analysis.hover(move);
const tree = new Tree($("#panel-tree"), (message) => ask({ ...message, by: analysis.by }));

// Where a game is kept between visits: its name on the server alone.
const kept = () => sessionStorage.getItem("table") || localStorage.getItem("table");
function keep(table) {
  for (const store of [sessionStorage, localStorage]) store.setItem("table", table);
}

const hear = {
  hello(message) {
    hello = message;
    analysis.view = tree.view = null;
    setup = new Setup(message.games, ask, (request) => { show("play"); ask(request); });
    runs ||= new Runs(message.runs, ask, (game, moves) => { show("play"); ask({ do: "new", game, seats: ["human", "human"], moves }); });
    $('[data-page="runs"]').hidden = !message.runs.length;
    const linked = new URLSearchParams(location.hash.slice(1));
    if (linked.has("join")) ask({ do: "open", table: linked.get("join") });
    else if (linked.has("game")) ask({ do: "new", game: linked.get("game"), seats: ["human", "human"], moves: (linked.get("moves") || "").split("_").filter(Boolean) });
    else if (kept()) ask({ do: "open", table: kept() });
    else if (message.runs.length && !view) show("runs");
    if (!linked.has("join") && !linked.has("game") && !kept()) first();
    if (location.hash) history.replaceState(null, "", location.pathname);
  },
  game(message) {
    keep(message.table);
    const person = message.mover !== null && message.seats[message.mover] === "human";
    view = { ...message, yours: message.legal.length > 0 && !message.thinking && (person || message.ply < message.live || Boolean(message.puzzle)), showLegal: message.board?.look !== "columns" && message.legal.length < (message.cells?.length ?? 0) / 2 };
    draw();
  },
  gone() { first(); },
  info: (message) => setup.heard(message),
  analysis: (message) => analysis.heard(message),
  exact: (message) => analysis.heard(message),
  tree: (message) => tree.heard(message),
  run: (message) => runs.heard(message),
  record: (message) => download(message.record),
  error: (message) => { toast(message.error); if (!view) first(); },
};

// The first thing to see: a game to play at once.
function first() {
  ask({ do: "new", ...hello.first });
}

const connection = new Connection((message) => hear[message.type]?.(message), (connected) => {
  document.documentElement.toggleAttribute("data-offline", !connected);
  if (connected) ask({ do: "hello" });
  else $("#status").textContent = "The connection is lost; trying again …";
});

// Drawing.

function seatWords(name) {
  const [kind, rest = ""] = name.split(/:(.*)/s);
  const values = Object.fromEntries(rest.split(",").filter(Boolean).map((part) => part.split("=")));
  const size = values.level ? `level ${values.level}` : values.sims ? `${Number(values.sims).toLocaleString("en")} simulations` : values.time ? `${values.time} s for a move` : values.depth ? `${values.depth} moves ahead` : "";
  const title = { human: "Person", az: values.model ? `Network of ${values.model}` : "Trained network", uct: "Tree search", minimax: "Minimax", perfect: "Perfect play", random: "Random", greedy: "Greedy" }[kind] || kind;
  return size ? `${title}, ${size}` : title;
}

const people = () => view.seats.filter((name) => name === "human").length;
const who = (player) => people() === 1 ? (view.seats[player] === "human" ? "You" : seatWords(view.seats[player]).split(",")[0]) : `Player ${player + 1}`;

function draw() {
  for (const player of [0, 1]) {
    const stone = h("span", { class: "stone" });
    stone.style.background = colourOf(view, player);
    const turn = view.mover === player && !view.over;
    const seat = $(`#seat-${player}`);
    seat.className = `seat${turn ? " turn" : ""}`;
    const label = people() === 1 && view.seats[player] === "human" ? "You" : people() === 2 ? `Player ${player + 1}` : seatWords(view.seats[player]);
    seat.replaceChildren(stone, h("span", {}, label), h("span", { class: `note${turn && view.thinking ? " dots" : ""}` }, turn ? (view.thinking ? "thinking" : "to move") : ""));
  }
  $("#title").textContent = view.puzzle ? `Puzzle: ${view.title}` : view.title;
  $("#status").replaceChildren(...status());
  $("#undo").disabled = !view.canUndo;
  $("#redo").disabled = !view.canRedo;
  $("#resign").disabled = Boolean(view.over) || Boolean(view.puzzle);
  document.title = `${view.title} · Zermelo`;
  board.draw(view);
  moves();
  analysis.look(view);
  tree.look(view);
  if (view.puzzle?.answer && view.ply === view.puzzle.ply + 1) puzzleMarks();
}

function status() {
  if (view.trouble) return [h("b", { class: "bad" }, `${view.trouble} `), h("button", { onclick: () => ask({ do: "seats", seats: view.seats.map((name) => name === "human" ? name : "uct:sims=1000") }) }, "Go on against tree search")];
  if (view.puzzle) return puzzleWords();
  if (view.ply < view.live) return [`After move ${view.ply} of ${view.live}. A move here begins a new line.`];
  if (view.over) {
    const { winner, text } = view.over;
    if (winner === null) return [h("b", {}, "A draw.")];
    const resigned = text.includes("resigned") ? `${who(1 - winner)} resigned. ` : "";
    return [resigned, h("b", {}, who(winner) === "You" ? "You win." : `${who(winner)} wins.`)];
  }
  if (view.thinking) return [`${who(view.mover)} is thinking.`];
  const last = view.moves.length && people() === 1 ? `${who(1 - view.mover)} played ${view.moves.at(-1)}. ` : "";
  return [last, h("b", {}, who(view.mover) === "You" ? "Your move." : `${who(view.mover)} to move.`)];
}

function puzzleWords() {
  const { goal, answer, ply } = view.puzzle;
  const task = { win: "wins", draw: "holds the draw", loss: "holds out longest" }[goal];
  const next = h("button", { id: "next-puzzle", class: "primary", onclick: puzzle }, "Next puzzle");
  if (!answer || view.ply <= ply) return [h("b", {}, `Player ${(view.mover ?? 0) + 1} to move: find the move that ${task}. `), next];
  const told = answer.outcomes.find((one) => one.move === answer.move).outcome;
  const words = answer.right ? `Right: ${answer.move} is a ${told}.` : `Not ${answer.move}, a ${told}; ${answer.outcomes[0].move} is a ${answer.outcomes[0].outcome}.`;
  const again = h("button", { id: "again", onclick: () => ask({ do: "undo" }) }, "Try again");
  return [h("b", { class: answer.right ? "good" : "bad" }, `${words} `), h("span", { class: "row" }, next, again)];
}

function puzzleMarks() {
  const top = view.puzzle.answer.outcomes[0].value;
  board.setMarks(new Map(view.puzzle.answer.outcomes.filter((one) => one.at !== null && !view.cells[one.at]).map((one) => [one.at, {
    text: one.value > 0 ? "W" : one.value < 0 ? "L" : "=", sub: one.outcome.split(" in ")[1] || "", colour: one.value === top ? "var(--good)" : "var(--bad)", strength: .85,
  }])));
}

const puzzle = () => { show("puzzles"); ask({ do: "puzzle", game: $("#puzzle-game")?.value || "connect4", kind: $("#puzzle-kind")?.value || "network" }); };

function moves() {
  const marks = new Map(view.verdicts.map((one) => [one.ply, one]));
  const items = [];
  view.moves.forEach((move, i) => {
    if (i % 2 === 0) items.push(h("span", { class: "n" }, i / 2 + 1));
    const verdict = marks.get(i);
    const cost = verdict?.mark ? h("span", { class: "cost" }, `${verdict.mark} −${Math.round(verdict.cost * 100)}`) : null;
    const best = verdict?.mark && verdict.best ? `; better was ${verdict.best}${verdict.outcome ? ` (${verdict.outcome})` : ""}` : "";
    items.push(h("button", { "aria-current": view.ply === i + 1 ? "true" : null, "data-ply": i + 1, title: `after ${move}${best}`, onclick: () => go(i + 1) }, move, cost));
  });
  const list = h("div", { class: "moves", role: "group", "aria-label": "moves" }, items);
  const step = (text, ply, label) => h("button", { "aria-label": label, title: label, onclick: () => go(ply), disabled: ply < 0 || ply > view.live }, text);
  const lines = view.lines.map((line, i) => h("button", { class: "hint", title: line, onclick: () => ask({ do: "line", number: i }) }, `line ${i + 1}: … ${line.split(" ").slice(-4).join(" ")}`));
  $("#panel-moves").replaceChildren(
    view.moves.length ? list : h("p", { class: "hint" }, page === "puzzles" ? "" : "No moves yet. Click on the board, or use the arrow keys and Enter."),
    h("div", { class: "row" }, step("«", 0, "To the start"), step("‹", view.ply - 1, "One back"), step("›", view.ply + 1, "One forward"), step("»", view.live, "To the end"),
      h("span", { class: "grow" }), h("button", { id: "invite", title: "A link with which another device joins this game", onclick: invite }, "Invite")),
    lines.length ? h("div", { class: "row", role: "group", "aria-label": "lines that were left" }, lines) : "",
    page === "puzzles" ? puzzleChoice() : "");
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - 60;
}

function puzzleChoice() {
  const chosen = view.puzzle ? view.name : "connect4";
  const kind = sessionStorage.getItem("kind") || "network";
  return h("div", { class: "row" },
    h("select", { id: "puzzle-game", "aria-label": "game", onchange: puzzle }, hello.puzzles.map((one) => h("option", { value: one.name, selected: one.name === chosen }, one.title))),
    h("select", { id: "puzzle-kind", "aria-label": "kind", onchange: (e) => { sessionStorage.setItem("kind", e.target.value); puzzle(); } }, Object.entries(hello.kinds).map(([value, text]) => h("option", { value, selected: value === kind }, text))));
}

// Links and files.

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    prompt("Copy this link:", text);
  }
}

const share = () => copy(`${location.origin}/#game=${encodeURIComponent(view.name)}&moves=${view.moves.map(encodeURIComponent).join("_")}`, "A link that holds the game is copied.");
const invite = () => copy(`${hello.elsewhere || `${location.origin}/`}#join=${view.table}`, "A link to this game is copied: open it on another device.");

function download(record) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(record)}\n`], { type: "application/jsonl" }));
  h("a", { href: url, download: `${view.name.replace(/[^\w-]+/g, "-")}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// Pages, tabs, theme, keys.

function show(name) {
  page = name;
  for (const button of document.querySelectorAll("[data-page]")) button.toggleAttribute("aria-current", button.dataset.page === name);
  $("#game").hidden = name === "runs";
  runs?.show(name === "runs");
}

function tab(name) {
  for (const one of ["moves", "analysis", "tree"]) {
    $(`#tab-${one}`).setAttribute("aria-selected", one === name);
    $(`#panel-${one}`).hidden = one !== name;
  }
  if (name === "tree") tree.shown();
}

function help() {
  const dialog = $("#dialog");
  dialog.setAttribute("aria-label", "Keys");
  dialog.replaceChildren(h("h1", {}, "Keys"), h("dl", { class: "keys" }, KEYS.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("div", { class: "row" }, h("button", { class: "primary", onclick: () => dialog.close() }, "Close")));
  if (!dialog.open) dialog.showModal();
}

const themes = matchMedia("(prefers-color-scheme: dark)");
function theme(chosen = localStorage.getItem("theme")) {
  document.documentElement.dataset.theme = chosen || (themes.matches ? "dark" : "light");
}
themes.addEventListener("change", () => theme());
theme();

$("#theme").onclick = () => {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", next);
  theme(next);
};
$("#keys").onclick = help;
$("#new").onclick = () => setup?.open();
$("#undo").onclick = () => ask({ do: "undo" });
$("#redo").onclick = () => ask({ do: "redo" });
$("#resign").onclick = () => ask({ do: "resign" });
$("#share").onclick = share;
$("#save").onclick = () => ask({ do: "record" });
for (const name of ["moves", "analysis", "tree"]) $(`#tab-${name}`).onclick = () => tab(name);
for (const button of document.querySelectorAll("[data-page]")) {
  button.onclick = () => {
    if (button.dataset.page === "puzzles") puzzle();
    else if (button.dataset.page === "play" && view?.puzzle) { show("play"); first(); }
    else { show(button.dataset.page); if (view) draw(); }
  };
}

const press = {
  u: () => ask({ do: "undo" }), r: () => ask({ do: "redo" }), n: () => setup?.open(), x: () => $("#resign").disabled || ask({ do: "resign" }),
  "[": () => go(view.ply - 1), "]": () => go(view.ply + 1), "{": () => go(0), "}": () => go(view.live),
  a: () => { tab("analysis"); analysis.toggle(); }, w: () => { tab("analysis"); analysis.review(); }, m: () => analysis.nextMistake(), v: () => analysis.togglePolicy(),
  t: () => tab("tree"), ".": () => tree.go(tree.simulations + 1), p: puzzle, l: share, s: () => ask({ do: "record" }), "?": help,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("#dialog").open || !view) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const onButton = event.target.tagName === "BUTTON" || event.target.tagName === "TR";
  if (event.key.startsWith("Arrow") && !onButton && view.board && board.element) board.element.focus({ preventScroll: true });
  if ((board.hasFocus && board.key(event.key)) || (!onButton && event.key.startsWith("Arrow"))) event.preventDefault();
  else if (/^[0-9]$/.test(event.key)) {
    const move = view.legal.find(([, name]) => name === event.key);
    if (move && view.yours) play(move[1]);
  } else if (press[event.key.toLowerCase()] && !(onButton && event.key === " ")) press[event.key.toLowerCase()]();
});
