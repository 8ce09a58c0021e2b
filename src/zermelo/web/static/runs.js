// Runs: what they have learnt so far, live from their directories.

import { $, h, thousands } from "./dom.js";
import { thumbnail } from "./board.js";
import { LineChart } from "./chart.js";

const minutes = (seconds) => seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;

export class Runs {
  constructor(labels, ask, open) {
    Object.assign(this, { labels, ask, open, chosen: new Set(labels), over: "positions", charts: new Map() });
    this.place = $("#runs");
    this.build();
  }

  build() {
    const boxes = this.labels.map((label) => h("label", {}, h("input", { type: "checkbox", checked: true, onchange: (e) => { e.target.checked ? this.chosen.add(label) : this.chosen.delete(label); this.request(); } }), ` ${label}`));
    const over = h("select", { id: "over", "aria-label": "charts over", onchange: (e) => { this.over = e.target.value; this.draw(); } },
      h("option", { value: "positions" }, "over the positions learnt from"), h("option", { value: "time" }, "over time"));
    this.troubles = h("div");
    this.facts = h("div", { class: "card factlist" });
    this.grid = h("div", { class: "grid" });
    this.latest = h("div", { class: "latest" });
    this.place.replaceChildren(h("div", { class: "row runhead" }, h("h1", {}, this.labels.length > 1 ? "Runs" : "Run"), this.labels.length > 1 ? h("div", { class: "row", role: "group", "aria-label": "runs" }, boxes) : null, h("span", { class: "grow" }), over),
      this.troubles, this.facts, this.grid, this.latest);
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
    this.runs = runs;
    this.draw();
  }

  draw() {
    const good = this.runs.filter((run) => !run.trouble);
    this.troubles.replaceChildren(...this.runs.filter((run) => run.trouble).map((run) => h("p", { class: "bad" }, run.trouble)));
    this.facts.replaceChildren(...good.map((run) => h("div", { class: "facts" },
      [[run.label, run.game], [thousands(run.rounds), "rounds"], [thousands(run.games), "games"], [thousands(run.positions), "positions"], [minutes(run.seconds), "so far"]]
        .map(([value, unit]) => h("div", {}, h("b", {}, value), h("span", {}, unit))))));
    const titles = good[0]?.charts.map((chart) => chart.title) || [];
    for (const title of titles) {
      if (!this.charts.has(title)) this.charts.set(title, new LineChart());
      const chart = this.charts.get(title);
      if (!chart.element.isConnected) this.grid.append(chart.element);
      chart.show({ ...good[0].charts.find((one) => one.title === title), lines: this.lines(good, title), unitX: this.over });
    }
    this.latest.replaceChildren(...good.filter((run) => run.latest.length).map((run) => h("div", { class: "card" }, h("h2", {}, `Latest games of ${run.label}`),
      h("div", { class: "games" }, run.latest.map((game) => h("button", { onclick: () => this.open(run.game, game.moves) }, thumbnail(game), h("span", { class: "hint" }, `${game.result}, ${game.moves.length} moves`)))))));
  }

  // One colour for each run, if there are several; else one for each line.
  lines(runs, title) {
    const several = runs.length > 1;
    return runs.flatMap((run, i) => {
      const seconds = new Map(run.clock);
      const at = (x) => this.over === "time" ? seconds.get(x) ?? this.nearest(run.clock, x) : x;
      return Object.entries(run.charts.find((chart) => chart.title === title)?.lines || {}).map(([name, points], k) => ({
        name: several ? `${run.label}: ${name}` : name, colour: several ? i : k, dash: several ? k : 0, points: points.map(([x, y]) => [at(x), y]),
      }));
    });
  }

  nearest(clock, x) { return clock.reduce((best, one) => Math.abs(one[0] - x) < Math.abs(best[0] - x) ? one : best, [0, 0])[1]; }
}
