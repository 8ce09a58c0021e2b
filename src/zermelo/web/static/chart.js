// Charts, drawn by uPlot: the value of a game move by move, and lines over the course of a run.

import { h, percent } from "./dom.js";

const { uPlot } = window;
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const live = new Set();
document.addEventListener("theme", () => { for (const chart of live) chart.redraw(); });

// A chart that is as wide as its place.
function plot(place, options, data, height) {
  const chart = new uPlot({ width: Math.max(120, place.clientWidth || 320), height, legend: { show: false }, ...options }, data, place);
  const watch = new ResizeObserver(() => { if (place.clientWidth > 0) chart.setSize({ width: place.clientWidth, height }); });
  watch.observe(place);
  live.add(chart);
  return { chart, end() { watch.disconnect(); live.delete(chart); chart.destroy(); } };
}

const axis = (more) => ({ stroke: () => css("--soft"), grid: { stroke: () => css("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif", ...more });

// The first player's expectation after each move; a click, or the arrow keys, go there.
export class ValueChart {
  constructor(go) {
    this.go = go;
    this.place = h("div", {
      class: "chart values", role: "slider", tabindex: 0, "aria-label": "value of the game, move by move", "aria-valuemin": 0,
      onkeydown: (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (step) { this.go(this.view.ply + step); event.preventDefault(); event.stopPropagation(); }
      },
    });
  }

  show(view) {
    this.view = view;
    const values = Array(view.live + 1).fill(null), mistakes = values.slice();
    for (const one of view.verdicts) {
      values[one.ply] = one.winrate;
      if (one.mark) mistakes[one.ply] = one.winrate;
    }
    const data = [values.map((_, ply) => ply), values, mistakes];
    if (!this.drawn) this.drawn = this.begin(data);
    else { this.drawn.chart.setData(data); this.drawn.chart.redraw(); }
    this.place.setAttribute("aria-valuemax", view.live);
    this.place.setAttribute("aria-valuenow", view.ply);
    const here = values[view.ply];
    this.place.setAttribute("aria-valuetext", `after move ${view.ply}${here === null ? "" : `: the first player expects ${percent(here)}`}`);
  }

  begin(data) {
    return plot(this.place, {
      scales: { x: { time: false, range: () => [0, Math.max(1, this.view.live)] }, y: { range: () => [0, 1] } },
      axes: [axis({ size: 20, gap: 2, incrs: [1, 2, 5, 10, 20, 50, 100], space: 24 }), axis({ size: 38, splits: () => [0, .5, 1], values: (u, splits) => splits.map((value) => `${value * 100} %`) })],
      series: [{}, { stroke: () => css("--accent"), width: 2, fill: () => `${css("--accent")}22`, spanGaps: true, points: { show: false } },
        { stroke: "transparent", points: { show: true, size: 9, width: 2, fill: () => css("--bad"), stroke: () => css("--card") } }],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      hooks: {
        draw: [(u) => {
          const x = u.valToPos(this.view.ply, "x", true), { ctx, bbox } = u;
          ctx.save();
          ctx.fillStyle = css("--ink");
          ctx.fillRect(x - devicePixelRatio * .75, bbox.top, devicePixelRatio * 1.5, bbox.height);
          ctx.restore();
        }],
        ready: [(u) => u.over.addEventListener("click", () => { if (u.cursor.idx !== null) this.go(u.cursor.idx); })],
      },
    }, data, 116);
  }
}

const COLOURS = ["--line-1", "--line-2", "--line-3", "--line-4", "--line-5", "--line-6"];
const DASHES = [[], [7, 4], [2, 4], [10, 3, 2, 3]];
const colour = (i) => css(COLOURS[i % COLOURS.length]);
const short = (value, share) => share ? `${+(value * 100).toPrecision(3)} %`
  : Math.abs(value) >= 1e6 ? `${+(value / 1e6).toPrecision(3)} M` : Math.abs(value) >= 1e4 ? `${+(value / 1e3).toPrecision(3)} k` : `${+value.toPrecision(3)}`;

// Lines: [{name, points: [[x, y], ...], colour, dash}]; what they are is compared by their names.
export class LineChart {
  constructor() {
    this.title = h("h2");
    this.place = h("div", { class: "chart", role: "img" });
    this.legend = h("div", { class: "legend" });
    this.element = h("div", { class: "card" }, this.title, this.place, this.legend);
  }

  show({ title, unit, share, lines, unitX }) {
    this.title.replaceChildren(title, h("span", { class: "hint" }, ` ${unit}`));
    this.share = share;
    const names = JSON.stringify([unitX, lines.map((line) => line.name)]);
    const data = lines.length ? uPlot.join(lines.map((line) => [line.points.map(([x]) => x), line.points.map(([, y]) => y)])) : [[]];
    this.lines = lines;
    if (names !== this.names) {
      this.drawn?.end();
      this.drawn = null;
      this.place.replaceChildren(...(lines.length ? [] : [h("p", { class: "empty hint" }, "nothing measured yet")]));
      if (lines.length) this.drawn = this.begin(data, unitX);
      this.names = names;
    } else if (this.drawn) this.drawn.chart.setData(data);
    this.tell(null);
    this.place.setAttribute("aria-label", `${title}, ${unit}: ${lines.map((line) => `${line.name} ${short(line.points.at(-1)[1], share)}`).join(", ") || "nothing measured yet"}`);
  }

  begin(data, unitX) {
    return plot(this.place, {
      scales: { x: { time: false }, y: { range: (u, low, high) => this.range(low, high) } },
      axes: [axis({ size: 26, space: 64, values: (u, splits) => splits.map((value) => unitX === "time" ? `${+(value / 60).toPrecision(3)} min` : short(value)) }),
        axis({ size: 52, values: (u, splits) => splits.map((value) => short(value, this.share)) })],
      series: [{}, ...this.lines.map((line) => ({ stroke: () => colour(line.colour), dash: DASHES[line.dash % DASHES.length], width: 2, spanGaps: true, points: { show: line.points.length === 1, size: 7, fill: () => colour(line.colour) } }))],
      cursor: { y: false, drag: { x: false, y: false } },
      hooks: { setCursor: [(u) => this.tell(u.cursor.idx)] },
    }, data, 190);
  }

  range(low, high) {
    if (this.share) return [0, Math.min(1, Math.max(.01, 1.1 * high))];
    return [Math.min(0, 1.08 * low), Math.max(1e-9, 1.08 * high)];
  }

  // The latest values, or those under the pointer.
  tell(at) {
    const data = this.drawn?.chart.data;
    this.legend.replaceChildren(...this.lines.map((line, i) => {
      let value = line.points.at(-1)[1];
      if (at !== null && at !== undefined && data) for (let k = at; k >= 0; k--) if (data[i + 1][k] !== null && data[i + 1][k] !== undefined) { value = data[i + 1][k]; break; }
      const dot = h("i");
      const ink = `var(${COLOURS[line.colour % COLOURS.length]})`;
      dot.style.background = line.dash ? `repeating-linear-gradient(90deg, ${ink} 0 4px, transparent 4px 7px)` : ink;
      return h("span", {}, dot, `${line.name} ${short(value, this.share)}`);
    }));
  }
}
