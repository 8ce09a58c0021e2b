// The page: what is shown and what is asked.

import { $, dialog, h, icon, toast } from "./dom.js";
import { Connection } from "./connection.js";
import { BoardView, stoneClass } from "./board.js";
import { Analysis } from "./analysis.js";
import { Tree } from "./tree.js";
import { Moves } from "./moves.js";
import { Setup } from "./setup.js";
import { Runs } from "./runs.js";
import { Puzzles } from "./puzzles.js";
import { seatLabel, statusWords } from "./words.js";
import { download, invite, load, share } from "./sharing.js";
import { help, listen, tabs } from "./keys.js";

let view = null, hello = null, setup = null, runs = null, puzzles = null, page = "play", turned = false, exploring = false, invited = null;
const ask = (message) => connection.send(message);
const go = (ply) => { if (view) ask({ do: "view", ply: Math.max(0, Math.min(view.live, ply)) }); };
const play = (move) => ask(view.yours ? { do: "move", move, ply: view.ply, table: view.table } : { do: "try", moves: [move] });
const board = new BoardView($("#board"), play);
const analysis = new Analysis($("#panel-analysis"), board, ask, go);
const tree = new Tree($("#panel-tree"), board, (message) => ask({ ...message, by: analysis.by }));
const moves = new Moves($("#panel-moves"), ask, go);
board.hover = (move) => { if (analysis.on) analysis.point(move); };

// Where a game is kept between visits: its name on the server alone, and the key of one's seat.
const kept = () => sessionStorage.getItem("table") || localStorage.getItem("table");
function keep({ table, key }) {
  for (const store of [sessionStorage, localStorage]) store.setItem("table", key ? `${table}.${key}` : table);
}

const hear = {
  hello(message) {
    hello = message;
    analysis.at = tree.at = null;
    setup = new Setup(message.games, message.runs.length > 0, ask, begin, open);
    runs ||= new Runs(message.runs, ask, (game, played) => begin({ do: "new", game, seats: ["human", "human"], moves: played }));
    puzzles = new Puzzles(message.puzzles, ask);
    $('[data-page="runs"]').hidden = !message.runs.length;
    const linked = new URLSearchParams(location.hash.slice(1));
    if (linked.has("join")) ask({ do: "open", table: linked.get("join") });
    else if (linked.has("game")) ask({ do: "new", game: linked.get("game"), seats: ["human", "human"], moves: (linked.get("moves") || "").split("_").filter(Boolean) });
    else if (kept()) ask({ do: "open", table: kept() });
    else { if (message.runs.length && !view && !turned) show("runs"); first(); }
    if (location.hash) history.replaceState(null, "", location.pathname);
  },
  game(message) {
    keep(message);
    if (view?.table !== message.table) exploring = false;
    view = message;
    refresh();
    if (view.apart && view.you !== null && view.present.length < 2 && invited !== view.table) {
      invited = view.table;
      ask({ do: "invite" });
    }
  },
  gone() { first(); },
  info: (message) => setup.heard(message),
  analysis: (message) => { analysis.heard(message); bar(); },
  exact: (message) => analysis.heard(message),
  review: (message) => analysis.heard(message),
  tree: (message) => tree.heard(message),
  run: (message) => runs.heard(message),
  record: (message) => download(message.files, view.name),
  invitation: (message) => invite(message, view),
  error: (message) => { toast(message.error); if (!view) first(); },
};

// The first thing to see: a game to play at once.
function first() { ask({ do: "new", ...hello.first }); }
function begin(request) { show("play"); ask(request); }
function open(game) { load(game, setup.family.title, begin); }

const connection = new Connection((message) => hear[message.type]?.(message), (connected) => {
  document.documentElement.toggleAttribute("data-offline", !connected);
  if (connected) ask({ do: "hello" });
  else $("#status").textContent = "The connection is lost; trying again …";
});

// Who may do what with the position that is shown.
function refresh() {
  const atEnd = view.branch === null && view.ply === view.live, person = view.mover !== null && view.seats[view.mover] === "human";
  view.yours = atEnd && !exploring && !view.thinking && person && view.legal.length > 0 && (!view.apart || view.you === view.mover);
  view.active = view.yours || (view.legal.length > 0 && (exploring || !atEnd));
  view.showLegal = view.board?.look !== "columns" && view.legal.length < (view.cells?.length ?? 0) / 2;
  draw();
}

function draw() {
  const bottom = view.apart ? view.you ?? 0 : view.seats[1] === "human" && view.seats[0] !== "human" ? 1 : 0;
  for (const player of [0, 1]) {
    const turn = view.mover === player && !view.over, seat = $(player === bottom ? "#seat-below" : "#seat-above");
    const [title, size] = seatLabel(view, player);
    seat.className = `seat${turn ? " turn" : ""}`;
    seat.dataset.player = player;
    seat.replaceChildren(h("span", { class: stoneClass(view, player) }), h("span", { class: "who" }, title), h("span", { class: "size" }, size),
      h("span", { class: `note${turn && view.thinking ? " dots" : ""}` }, turn ? (view.thinking ? "thinking" : "to move") : view.over?.winner === player ? "won" : ""));
  }
  $("#title").textContent = view.puzzle ? `Puzzle: ${view.title}` : view.title;
  $("#status").replaceChildren(...status());
  $("#undo").disabled = !view.canUndo;
  $("#redo").disabled = !view.canRedo;
  $("#resign").disabled = !view.canResign;
  document.title = `${view.yours && !view.puzzle ? "● " : ""}${view.title} · Zermelo`;
  board.draw(view);
  moves.show(view, exploring, explore);
  analysis.look(view);
  tree.look(view);
  if (view.puzzle?.answer && view.ply === view.puzzle.ply + 1) board.setMarks(puzzles.marks(view));
  bar(bottom);
}

// The bar beside the board: what the player below expects.
function bar(bottom = $("#seat-below").dataset.player === "1" ? 1 : 0) {
  const share = analysis.share, place = $("#bar");
  place.classList.toggle("known", share !== null);
  place.firstElementChild.className = `p${bottom} ${stoneClass(view, bottom).split(" ")[1]}`;
  place.className = `${share === null ? "" : "known "}p${1 - bottom} ${stoneClass(view, 0).split(" ")[1]}`;
  place.firstElementChild.style.height = `${100 * (share === null ? .5 : bottom === 0 ? share : 1 - share)}%`;
}

function status() {
  if (view.trouble) return [h("b", { class: "bad" }, `${view.trouble} `), h("button", { onclick: () => ask({ do: "seats", seats: view.seats.map((name) => name === "human" ? name : "uct:sims=1000") }) }, "Go on against tree search")];
  if (view.puzzle && view.branch === null) return puzzles.words(view);
  const [plain, strong] = statusWords(view);
  return [plain, h("b", {}, strong)];
}

function explore() { exploring = !exploring; if (view) refresh(); }

function resign() {
  if ($("#resign").disabled) return;
  dialog("Resign", h("h1", {}, "Give this game up?"), h("div", { class: "row end" }, h("span", { class: "grow" }),
    h("button", { onclick: () => $("#dialog").close() }, "Play on"),
    h("button", { id: "give-up", class: "primary", onclick: () => { $("#dialog").close(); ask({ do: "resign" }); } }, "Resign")));
  $("#give-up").focus();
}

// Pages and tabs.

function show(name) {
  page = name;
  for (const button of document.querySelectorAll("[data-page]")) button.toggleAttribute("aria-current", button.dataset.page === name);
  $("#game").hidden = name === "runs";
  $("#puzzle-choice").hidden = name !== "puzzles";
  runs?.show(name === "runs");
}

function turn(name) {
  turned = true;
  if (name === "puzzles") { show("puzzles"); puzzles?.next(); } else if (name === "play" && view?.puzzle) { show("play"); first(); } else show(name);
}

function tab(name) {
  for (const one of ["moves", "analysis", "tree"]) {
    $(`#tab-${one}`).setAttribute("aria-selected", one === name);
    $(`#tab-${one}`).tabIndex = one === name ? 0 : -1;
    $(`#panel-${one}`).hidden = one !== name;
  }
  if (name === "analysis") analysis.shown();
  if (name === "tree") tree.shown(); else tree.hidden();
}

const does = {
  undo: () => $("#undo").disabled || ask({ do: "undo" }), redo: () => $("#redo").disabled || ask({ do: "redo" }), resign, new: () => { if (view) setup.follow(view.name); setup?.open(); },
  share: () => share(view), save: () => ask({ do: "record" }), invite: () => ask({ do: "invite" }), keys: help, theme: () => window.toggleTheme(),
};
for (const [name, act] of Object.entries(does)) $(`#${name}`).onclick = act;
for (const [name, picture] of [["undo", "undo"], ["redo", "redo"], ["resign", "flag"], ["share", "link"], ["save", "save"], ["invite", "people"], ["theme", "theme"]]) $(`#${name}`).prepend(icon(picture));
for (const name of ["moves", "analysis", "tree"]) $(`#tab-${name}`).onclick = () => tab(name);
for (const button of document.querySelectorAll("[data-page]")) button.onclick = () => turn(button.dataset.page);
tabs($(".tabs"));
show("play");

const ready = (act) => () => { if (view) act(); };
listen(board, {
  u: ready(does.undo), r: ready(does.redo), n: does.new, x: ready(resign),
  "[": ready(() => go(view.ply - 1)), "]": ready(() => go(view.ply + 1)), "{": ready(() => go(0)), "}": ready(() => go(view.live)),
  a: ready(() => { tab("analysis"); analysis.toggle(); }), w: ready(() => { tab("analysis"); analysis.review(); }), m: ready(() => analysis.nextMistake()), v: ready(() => analysis.togglePolicy()),
  e: explore, k: ready(() => ask({ do: "keep" })), b: ready(() => ask({ do: "game" })), y: ready(() => $("#adopt") && ask({ do: "adopt" })),
  h: () => tab("moves"), t: () => tab("tree"), ",": ready(() => tree.go(tree.simulations - 1)), ".": ready(() => tree.go(tree.simulations + 1)), ">": ready(() => tree.go(tree.simulations + 10)),
  g: () => turn("play"), p: () => turn("puzzles"), o: () => { if (hello?.runs.length) show("runs"); },
  i: ready(does.invite), l: ready(does.share), s: ready(does.save), f: ready(() => { setup.follow(view.name); open(setup.name); }), d: does.theme, "?": help,
}, (digit) => {
  const move = view?.legal.find(([, name]) => name === digit);
  if (move && view.active) play(move[1]);
});
