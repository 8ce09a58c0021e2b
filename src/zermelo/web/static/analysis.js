// What the engine thinks: candidates in a table and on the board, coloured by what they lose.

import { h, percent, thousands } from "./dom.js";
import { ValueChart } from "./chart.js";

const kind = (loss) => loss < .03 ? "good" : loss < .12 ? "fair" : "bad";
const count = (visits) => visits >= 10000 ? `${Math.round(visits / 1000)}k` : visits >= 1000 ? `${(visits / 1000).toFixed(1)}k` : `${visits}`;
const SHOWN = 12;

export function proofWords(proven) {
  if (proven.value === 0) return "draw";
  return `${proven.value > 0 ? "win" : "loss"} in ${proven.plies}`;
}

export class Analysis {
  constructor(panel, board, ask, go) {
    Object.assign(this, { panel, board, ask, go, on: false, policy: false });
    this.chart = new ValueChart(go);
    this.build();
    this.reset();
  }

  // The panel, once; what changes is filled in later, so that nothing jumps.
  build() {
    const button = (id, text, title, onclick) => h("button", { id, title, onclick }, text);
    const figure = (id, text) => h("div", {}, h("b", { id }, "–"), h("span", {}, text));
    this.buttons = {
      on: button("analyse", "Analyse", "Think about this position, and the ones that follow (A)", () => this.toggle()),
      whole: button("review", "Whole game", "Look at every move (W)", () => this.review()),
      next: button("next-mistake", "Next mistake", "Go to the next mistake (M)", () => this.nextMistake()),
    };
    this.by_ = h("select", { id: "by", "aria-label": "who is asked", onchange: (event) => { this.chosen = event.target.value; this.found = null; if (this.on) this.start(); this.draw(); } });
    this.side = h("button", { id: "policy", title: "On the board: what the search found, or what the network says before any search (V)", onclick: () => this.togglePolicy() });
    this.figures = h("div", { class: "figures" }, figure("searched", "after search"), figure("alone", "network alone"), figure("exact", "solved"));
    this.told = h("p", { class: "hint", id: "told" });
    this.body = h("tbody", {
      onpointerover: (event) => this.point(event.target.closest("tr")?.dataset.row), onpointerleave: () => this.point(null),
      onfocusin: (event) => this.point(event.target.closest("tr")?.dataset.row), onfocusout: () => this.point(null),
      onclick: (event) => this.follow(event.target.closest("tr")?.dataset.row),
    });
    this.heads = h("tr", {}, ["move", "chance", "search", "network"].map((text) => h("th", { scope: "col" }, text)));
    this.caption = h("p", { class: "hint", id: "progress" });
    this.panel.append(h("div", { class: "row top" }, Object.values(this.buttons)),
      h("div", { class: "row top" }, this.by_, h("span", { class: "grow" }), this.side), this.figures, this.told,
      h("div", { class: "scroller" }, h("table", { class: "candidates" }, h("thead", {}, this.heads), this.body)),
      this.chart.place, this.caption);
  }

  reset() {
    this.found = this.exact = this.pointed = null;
  }

  // A new position to look at.
  look(view) {
    const at = JSON.stringify([view.table, view.moves.slice(0, view.ply)]);
    const other = this.at !== at;
    this.view = view;
    this.at = at;
    if (other) {
      this.reset();
      this.clear();
    }
    if (this.on && !this.asked && !view.over && view.mover !== null && !(view.thinking && view.ply === view.live && view.branch === null)) this.start();
    this.draw();
    if (view.verdicts.length > 1) this.progress = "";
    if (!this.panel.hidden) this.drawChart();
  }

  clear() {
    this.asked = false;
    this.board.setMarks(new Map());
    this.board.setLine(null);
  }

  toggle(on = !this.on) {
    this.on = on;
    if (on) this.start();
    else {
      this.ask({ do: "stop" });
      this.reset();
      this.clear();
    }
    this.draw();
  }

  shown() { if (this.view) this.drawChart(); }

  // The line that follows a move, while somebody points at it.
  point(move) {
    this.pointed = move ?? null;
    const found = this.found?.moveInfos.find((one) => one.move === move);
    this.board.setLine(found ? found.pv : null);
  }

  // Try the line of a move out.
  follow(move) {
    const found = this.found?.moveInfos.find((one) => one.move === move);
    if (found) this.ask({ do: "try", moves: found.pv.map(([name]) => name) });
  }

  togglePolicy() {
    this.policy = !this.policy;
    if (this.found) this.mark();
    this.draw();
  }

  start() {
    if (!this.view || this.view.mover === null || this.view.over) return;
    this.asked = true;
    this.ask({ do: "analyse", by: this.by });
    this.ask({ do: "exact" });
  }

  heard(message) {
    if (message.type === "review") {
      this.progress = message.done < message.of ? `Looking at the whole game: ${message.done} of ${message.of} positions …` : "";
      this.caption.textContent = this.captionWords();
      return;
    }
    if (!this.on || !this.view || message.turnNumber !== this.view.ply) return;
    if (message.type === "analysis") this.found = message;
    else this.exact = message.moves.length ? message : null;
    this.mark();
    this.draw();
    if (this.pointed) this.point(this.pointed);
  }

  // Who is asked: the one that was chosen, if it knows this game.
  get by() {
    const names = this.view?.advisers.map(([value]) => value) || [];
    return names.includes(this.chosen) ? this.chosen : names[0] || "";
  }

  get network() { return this.by.startsWith("az"); }

  // What the first player expects here, if anybody has thought about it.
  get share() {
    const root = this.found?.rootInfo;
    if (root) return root.currentPlayer === 1 ? root.winrate : 1 - root.winrate;
    return this.view?.verdicts.find((one) => one.ply === this.view.ply)?.winrate ?? null;
  }

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
    if (!this.found) return;
    if (this.policy && this.network) {
      const most = Math.max(...this.found.moveInfos.map((one) => one.prior));
      this.board.setMarks(new Map(this.found.moveInfos.filter((one) => one.at !== null && one.prior >= .005).map((one) => [one.at,
        { text: `${Math.round(one.prior * 100)}`, sub: "policy", kind: "policy", strength: .45 + .5 * Math.sqrt(one.prior / most) }])));
      return;
    }
    const rows = this.rows().filter((one) => one.at !== null && (one.visits > 0 || this.exact));
    const most = Math.max(1, ...rows.map((one) => one.visits));
    this.board.setMarks(new Map(rows.filter((one) => this.exact || one.visits >= most * .004).map((one) => [one.at, {
      text: one.words ? one.words.replace("in ", "").replace("win", "W").replace("loss", "L").replace("draw", "=") : `${Math.round(one.winrate * 100)}`,
      sub: one.visits ? count(one.visits) : "",
      kind: kind(one.loss),
      strength: .8 + .2 * Math.sqrt(one.visits / most),
    }])));
  }

  draw() {
    const view = this.view;
    if (!view) return;
    const root = this.found?.rootInfo, { on, whole, next } = this.buttons;
    on.textContent = this.on ? "Stop" : "Analyse";
    on.className = this.on ? "" : "primary";
    on.setAttribute("aria-pressed", this.on);
    whole.disabled = view.live === 0;
    next.disabled = !view.verdicts.some((one) => one.mark);
    this.side.disabled = !this.network;
    this.side.setAttribute("aria-pressed", this.policy);
    this.side.textContent = this.policy && this.network ? "Board: network" : "Board: search";
    const options = view.advisers.map(([value, title]) => h("option", { value, selected: value === this.by }, `by the ${title}`.replace("the search without", "search without").replace("the run", "run")));
    if (this.by_.textContent !== options.map((one) => one.textContent).join("") || this.by_.value !== this.by) this.by_.replaceChildren(...options);
    const set = (id, text) => { this.panel.querySelector(`#${id}`).textContent = text; };
    set("searched", root ? percent(root.winrate) : "–");
    set("alone", root && this.network ? percent(root.rawWinrate) : "–");
    set("exact", this.exact ? this.exact.best : "–");
    this.told.textContent = root ? `For player ${root.currentPlayer}, ${thousands(root.visits)} simulations${this.found.isDuringSearch ? " …" : "."}`
      : this.on ? (view.over ? "The game is over." : "Thinking …") : "What is every move worth? Point at one for its line.";
    this.fill();
    this.caption.textContent = this.captionWords();
  }

  captionWords() {
    if (this.progress) return this.progress;
    return this.view.verdicts.length > 1 ? "What player 1 expects; dots are mistakes." : "Whole game draws here what every move was worth.";
  }

  fill() {
    const most = Math.max(1, ...(this.found?.moveInfos || []).map((one) => one.visits)), total = Math.max(1, this.found?.rootInfo.visits || 0);
    const focused = this.body.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.row : null;
    const bar = (share, name) => {
      const inner = h("i", { class: name });
      inner.style.width = `${Math.round(share * 1000) / 10}%`;
      return h("span", { class: "bar" }, inner);
    };
    this.body.replaceChildren(...this.rows().slice(0, SHOWN).map((one) => h("tr", { class: one.words || one.winrate !== null ? kind(one.loss) : "hint", "data-row": one.move, title: one.pv.map(([move]) => move).join(" ") },
      h("td", {}, h("button", { class: "move", "aria-label": `${one.move}: try its line out` }, one.move)),
      h("td", {}, one.words || (one.winrate === null ? "–" : percent(one.winrate))),
      h("td", { title: `${percent(one.visits / total)} of the visits` }, bar(one.visits / most, "visits"), h("span", { class: "value" }, count(one.visits))),
      h("td", {}, this.network ? [bar(one.prior, "prior"), h("span", { class: "value" }, percent(one.prior))] : "–"))));
    if (focused) this.body.querySelector(`[data-row="${CSS.escape(focused)}"] button`)?.focus();
  }

  drawChart() { this.chart.show(this.view); }

  review() {
    this.progress = "Looking at the whole game …";
    this.caption.textContent = this.progress;
    this.ask({ do: "review", by: this.by });
  }

  nextMistake() {
    const marks = this.view.verdicts.filter((one) => one.mark).map((one) => one.ply);
    if (!marks.length) return;
    this.go(marks.find((ply) => ply > this.view.ply) ?? marks[0]);
  }
}
