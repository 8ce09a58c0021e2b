// What the engine thinks: candidates in a table and on the board, coloured by what they lose.

import { h, percent } from "./dom.js";
import { valueChart } from "./chart.js";

export const shade = (loss) => loss < .03 ? "var(--good)" : loss < .12 ? "var(--fair)" : "var(--bad)";
const name = (loss) => loss < .03 ? "good" : loss < .12 ? "fair" : "bad";
const count = (visits) => visits >= 10000 ? `${Math.round(visits / 1000)}k` : visits >= 1000 ? `${(visits / 1000).toFixed(1)}k` : `${visits}`;

export function proofWords(proven) {
  if (proven.value === 0) return "draw";
  return `${proven.value > 0 ? "win" : "loss"} in ${proven.plies}`;
}

export class Analysis {
  constructor(panel, board, ask, go) {
    Object.assign(this, { panel, board, ask, go });
    this.on = false;
    this.reset();
  }

  reset() {
    this.found = null;
    this.exact = null;
  }

  // A new position to look at.
  look(view) {
    const other = !this.view || this.view.table !== view.table || this.view.ply !== view.ply || this.view.moves.length !== view.moves.length;
    this.view = view;
    if (other) {
      this.reset();
      this.board.setMarks(new Map());
      this.board.setLine(null);
      if (this.on && !view.over && view.mover !== null && !view.thinking) this.start();
    }
    this.draw();
  }

  toggle(on = !this.on) {
    this.on = on;
    if (on) this.start();
    else {
      this.ask({ do: "stop" });
      this.reset();
      this.board.setMarks(new Map());
      this.board.setLine(null);
    }
    this.draw();
  }

  // The line that follows a move, while somebody points at it.
  hover(move) {
    const found = this.found?.moveInfos.find((one) => one.move === move && one.visits > 0);
    this.board.setLine(found ? found.pv : null);
  }

  togglePolicy() {
    this.policy = !this.policy;
    if (this.found) this.mark();
    this.draw();
  }

  start() {
    if (!this.view || this.view.mover === null || this.view.over) return;
    this.ask({ do: "analyse", by: this.by });
    this.ask({ do: "exact" });
  }

  heard(message) {
    if (!this.on || !this.view || message.turnNumber !== this.view.ply) return;
    if (message.type === "analysis") this.found = message;
    else this.exact = message.moves.length ? message : null;
    this.mark();
    this.draw();
  }

  // Who is asked: the one that was chosen, if it knows this game.
  get by() {
    const names = this.view?.advisers.map(([value]) => value) || [];
    return names.includes(this.chosen) ? this.chosen : names[0] || "";
  }

  get network() { return this.found?.by.startsWith("az"); }

  rows() {
    if (!this.found) return [];
    const exact = new Map((this.exact?.moves || []).map((one) => [one.move, one]));
    const best = Math.max(...this.found.moveInfos.map((one) => one.winrate ?? 0));
    const top = this.exact ? this.exact.moves[0].value : 0;
    return this.found.moveInfos.map((one) => {
      const known = exact.get(one.move) || one.proven;
      const slower = exact.has(one.move) && known.plies !== this.exact.moves[0].plies ? .05 : 0; // the same result, but not the fastest way
      const loss = exact.has(one.move) ? (top - known.value) / 2 + slower : best - (one.winrate ?? 0);
      return { ...one, loss, words: known ? proofWords(known) : null };
    });
  }

  // On the board: what the search found, or what the network says before any search.
  mark() {
    if (this.policy && this.network) {
      const most = Math.max(...this.found.moveInfos.map((one) => one.prior));
      this.board.setMarks(new Map(this.found.moveInfos.filter((one) => one.at !== null && one.prior >= .005).map((one) => [one.at,
        { text: `${Math.round(one.prior * 100)}`, sub: "policy", colour: "#4d63b8", strength: .3 + .65 * Math.sqrt(one.prior / most) }])));
      return;
    }
    const rows = this.rows().filter((one) => one.at !== null && (one.visits > 0 || this.exact));
    const most = Math.max(1, ...rows.map((one) => one.visits));
    this.board.setMarks(new Map(rows.filter((one) => this.exact || one.visits >= most * .004).map((one) => [one.at, {
      text: one.words ? one.words.replace("in ", "").replace("win", "W").replace("loss", "L").replace("draw", "=") : `${Math.round(one.winrate * 100)}`,
      sub: one.visits ? count(one.visits) : "",
      colour: shade(one.loss),
      strength: .55 + .4 * Math.sqrt(one.visits / most),
    }])));
  }

  draw() {
    const view = this.view;
    if (!view) return;
    const root = this.found?.rootInfo;
    const head = h("div", { class: "row top" },
      h("button", { id: "analyse", class: this.on ? "" : "primary", "aria-pressed": this.on, title: "A", onclick: () => this.toggle() }, this.on ? "Stop" : "Analyse"),
      h("button", { id: "review", title: "W", onclick: () => this.review(), disabled: view.live === 0 }, "Whole game"),
      h("button", { id: "next-mistake", title: "M", onclick: () => this.nextMistake(), disabled: !view.verdicts.some((one) => one.mark) }, "Next mistake"),
      this.network ? h("button", { id: "policy", title: "V", "aria-pressed": Boolean(this.policy), onclick: () => this.togglePolicy() }, this.policy ? "Show search" : "Show policy") : null);
    const told = root ? `Player ${root.currentPlayer} expects ${percent(root.winrate)}${this.network ? `; the network alone says ${percent(root.rawWinrate)}` : ""}. ${root.visits.toLocaleString("en")} simulations${this.found.isDuringSearch ? " …" : "."}`
      : this.on ? (view.over ? "The game is over." : "Thinking …") : "Shows what the engine thinks of every move: chance, visits, and what the network says before any search.";
    const who = view.advisers.length > 1 ? h("div", { class: "row top" }, h("label", { class: "hint" }, "By ", h("select", { id: "by",
      onchange: (e) => { this.chosen = e.target.value; this.found = null; if (this.on) this.start(); this.draw(); } },
      view.advisers.map(([value, title]) => h("option", { value, selected: value === this.by }, title))))) : null;
    const exact = this.exact ? h("p", { class: "hint", id: "exact" }, `Solved: ${this.exact.best} for the player to move.`) : null;
    const body = h("tbody", {}, this.rows().slice(0, 12).map((one) => {
      const bar = h("span", { class: "bar" });
      bar.style.width = `${Math.round(2.6 * Math.sqrt(one.prior) * 10) / 10}rem`;
      return h("tr", { class: name(one.loss), tabindex: 0, title: one.pv.map(([move]) => move).join(" "),
        onmouseenter: () => this.board.setLine(one.pv), onmouseleave: () => this.board.setLine(null),
        onfocus: () => this.board.setLine(one.pv), onblur: () => this.board.setLine(null) },
        h("td", {}, one.move), h("td", {}, one.words || (one.winrate === null ? "–" : percent(one.winrate))),
        h("td", {}, one.visits.toLocaleString("en")), this.network ? h("td", {}, percent(one.prior), bar) : null);
    }));
    const table = h("div", { class: "scroller" }, this.found ? h("table", { class: "candidates" },
      h("thead", {}, h("tr", {}, ["move", "chance", "visits", ...(this.network ? ["policy"] : [])].map((text) => h("th", { scope: "col" }, text)))), body) : null);
    const focused = this.panel.contains(document.activeElement) ? document.activeElement.id : null;
    this.panel.replaceChildren(head, ...(who ? [who] : []), h("p", { class: "hint", id: "told" }, told), ...(exact ? [exact] : []), table,
      ...(view.verdicts.length > 1 ? [valueChart(view, this.go), h("p", { class: "hint" }, "What the first player expects, move by move; dots are mistakes.")] : []));
    if (focused) this.panel.querySelector(`#${focused}`)?.focus();
  }

  review() { this.ask({ do: "review", by: this.by }); }

  nextMistake() {
    const marks = this.view.verdicts.filter((one) => one.mark).map((one) => one.ply);
    if (!marks.length) return;
    this.go(marks.find((ply) => ply > this.view.ply) ?? marks[0]);
  }
}
