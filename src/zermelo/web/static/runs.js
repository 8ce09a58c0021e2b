// Runs: what they have learnt so far, live from their directories.

import { $, h } from "./dom.js";
import { thumbnail } from "./board.js";
import { lineChart } from "./chart.js";

const minutes = (seconds) => seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;

export class Runs {
  constructor(labels, ask, open) {
    Object.assign(this, { labels, ask, open });
    this.place = $("#runs");
    this.chosen = new Set(labels);
  }

  show(on) {
    clearInterval(this.timer);
    this.place.hidden = !on;
    if (!on) return;
    this.request();
    this.timer = setInterval(() => this.request(), 4000);
  }

  request() { this.ask({ do: "run", labels: this.labels.filter((label) => this.chosen.has(label)) }); }

  heard({ runs }) {
    const text = JSON.stringify(runs);
    if (text === this.before) return;
    this.before = text;
    const good = runs.filter((run) => !run.trouble);
    const boxes = this.labels.length > 1 ? h("div", { class: "row top", role: "group", "aria-label": "runs" }, this.labels.map((label) => h("label", {},
      h("input", { type: "checkbox", checked: this.chosen.has(label), onchange: (e) => { e.target.checked ? this.chosen.add(label) : this.chosen.delete(label); this.request(); } }), ` ${label}`))) : null;
    const facts = good.map((run) => h("div", { class: "facts" },
      [[run.label, run.game], [run.rounds.toLocaleString("en"), "rounds"], [run.games.toLocaleString("en"), "games"], [run.positions.toLocaleString("en"), "positions"], [minutes(run.seconds), "so far"]]
        .map(([value, unit]) => h("div", {}, h("b", {}, value), h("span", {}, unit)))));
    const titles = good[0]?.charts.map((chart) => chart.title) || [];
    const charts = titles.map((title) => {
      const parts = good.map((run) => [run.label, run.charts.find((chart) => chart.title === title)]).filter(([, chart]) => chart);
      const lines = {};
      for (const [label, chart] of parts) for (const [name, line] of Object.entries(chart.lines)) lines[good.length > 1 ? `${label}: ${name}` : name] = line;
      return lineChart({ ...parts[0][1], lines });
    });
    const latest = good.map((run) => run.latest.length ? h("div", { class: "card" }, h("h2", {}, `Latest games of ${run.label}`),
      h("div", { class: "games" }, run.latest.map((game) => h("button", { onclick: () => this.open(run.game, game.moves) }, thumbnail(game), h("span", { class: "hint" }, `${game.result}, ${game.moves.length} moves`))))) : null);
    this.place.replaceChildren(...[boxes, ...runs.filter((run) => run.trouble).map((run) => h("p", { class: "bad" }, run.trouble)), ...facts,
      h("div", { class: "grid" }, charts), h("p", { class: "hint" }, "Over the positions that were learnt from."), ...latest].filter(Boolean));
  }
}
