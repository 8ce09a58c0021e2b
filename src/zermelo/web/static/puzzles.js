// Puzzles: which ones, whether they were solved, and what every move would have led to.

import { $, h } from "./dom.js";

const kept = () => { try { return JSON.parse(localStorage.getItem("puzzles")) || {}; } catch { return {}; } };

export class Puzzles {
  constructor(games, ask) {
    Object.assign(this, { games, ask });
    this.score = { right: 0, of: 0, ...kept() };
    this.counted = null;
    const chosen = sessionStorage.getItem("puzzle") || "";
    this.game = h("select", { id: "puzzle-game", "aria-label": "game", onchange: () => { this.showKinds(); this.next(); } },
      games.map((one) => h("option", { value: one.name, selected: chosen.startsWith(`${one.name} `) }, one.title)));
    this.kind = h("select", { id: "puzzle-kind", "aria-label": "kind", onchange: () => this.next() });
    this.showKinds(chosen.slice(chosen.indexOf(" ") + 1));
    this.told = h("span", { class: "hint", id: "score" });
    $("#puzzle-choice").replaceChildren(this.game, this.kind, this.told);
    this.tell();
  }

  showKinds(chosen = "") {
    const { kinds } = this.games.find((one) => one.name === this.game.value);
    this.kind.replaceChildren(...kinds.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  }

  next() {
    sessionStorage.setItem("puzzle", `${this.game.value} ${this.kind.value}`);
    this.ask({ do: "puzzle", game: this.game.value, kind: this.kind.value });
  }

  tell() { this.told.textContent = this.score.of ? `${this.score.right} of ${this.score.of} solved` : ""; }

  words(view) {
    const { goal, answer, ply } = view.puzzle;
    const aim = goal === "win" ? "win" : goal === "draw" ? "hold the draw" : "lose as late as possible";
    if (!answer || view.ply <= ply) return [h("b", {}, `Player ${view.mover + 1} to move: find the move that can ${aim}.`)];
    if (this.counted !== view.table) {
      this.counted = view.table;
      this.score.of += 1;
      this.score.right += answer.right ? 1 : 0;
      localStorage.setItem("puzzles", JSON.stringify(this.score));
      this.tell();
    }
    const outcome = answer.outcomes.find((one) => one.move === answer.move).outcome, best = answer.outcomes[0];
    const words = answer.right ? `Right: ${answer.move}, ${outcome}.${answer.best ? "" : ` Even better is ${best.move}: ${best.outcome}.`}` : `No: ${answer.move} is a ${outcome}. ${best.move} is a ${best.outcome}.`;
    return [h("b", { class: answer.right ? "good" : "bad" }, `${words} `), h("span", { class: "row" },
      h("button", { id: "again", class: "primary", onclick: () => this.next() }, "Next puzzle"), h("button", { id: "retry", onclick: () => this.ask({ do: "undo" }) }, "Once more"))];
  }

  // What each move would have led to.
  marks({ cells, puzzle }) {
    const top = puzzle.answer.outcomes[0].value;
    return new Map(puzzle.answer.outcomes.filter((one) => one.at !== null && !cells[one.at]).map((one) => [one.at, {
      text: one.value > 0 ? "W" : one.value < 0 ? "L" : "=", sub: one.outcome.split(" in ")[1] || "", kind: one.value === top ? "good" : "bad", strength: .9,
    }]));
  }
}
