// Charts: the value of a game move by move, and lines over the course of a run.

import { h, s } from "./dom.js";

// The first player's expectation after each move; a click goes there.
export function valueChart(view, go) {
  const known = new Map(view.verdicts.map((one) => [one.ply, one]));
  const width = 360, height = 110, left = 4, right = 4;
  const x = (ply) => left + (width - left - right) * (view.live ? ply / view.live : 0);
  const y = (share) => 6 + (height - 12) * (1 - share);
  const points = [...known.values()].map((one) => [x(one.ply), y(one.winrate)]);
  const svg = s("svg", { class: "chart values", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "expected points of the first player, move by move" },
    s("path", { class: "axis", d: `M0 ${y(.5)}H${width}M0 ${y(0)}H${width}M0 ${y(1)}H${width}` }));
  if (points.length > 1) {
    const path = points.map(([a, b], i) => `${i ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`).join("");
    svg.append(
      s("path", { class: "area", d: `${path}L${points.at(-1)[0]} ${y(.5)}L${points[0][0]} ${y(.5)}Z` }),
      s("path", { class: "curve", d: path, stroke: "var(--ink)" }));
  }
  for (const one of known.values()) {
    if (one.mark) svg.append(s("circle", { class: "mistake", cx: x(one.ply), cy: y(one.winrate), r: one.mark === "??" ? 5 : 3.5 }));
  }
  svg.append(s("path", { class: "now", d: `M${x(view.ply)} 2V${height - 2}` }));
  const step = width / (view.live + 1);
  for (let ply = 0; ply <= view.live; ply++) {
    svg.append(s("rect", { class: "hit", "data-ply": ply, x: x(ply) - step / 2, y: 0, width: step, height, onclick: () => go(ply) }));
  }
  return svg;
}

const COLOURS = ["#2f8f80", "#d2703c", "#5a6fc0", "#b8558f", "#8a9a2f", "#7a6a58"];
export const colour = (i) => COLOURS[i % COLOURS.length];

const short = (value, share) => share ? `${+(value * 100).toPrecision(3)} %`
  : value >= 1e6 ? `${+(value / 1e6).toPrecision(3)} M` : value >= 1e3 ? `${+(value / 1e3).toPrecision(3)} k` : `${+value.toPrecision(3)}`;

// Lines: {name: [[x, y], ...]}.
export function lineChart({ title, unit, share, lines }) {
  const width = 360, height = 190, left = 44, bottom = 22, top = 10, right = 10;
  const all = Object.values(lines).flat();
  const box = h("div", { class: "card" }, h("h2", {}, title));
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}, ${unit}` });
  box.append(svg);
  if (!all.length) {
    svg.append(s("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "nothing measured yet"));
    return box;
  }
  const most = Math.max(...all.map(([a]) => a)) || 1;
  const high = share ? Math.max(.01, Math.min(1, 1.1 * Math.max(...all.map(([, b]) => b)))) : 1.08 * Math.max(...all.map(([, b]) => b)) || 1;
  const x = (value) => left + (width - left - right) * value / most;
  const y = (value) => top + (height - top - bottom) * (1 - Math.min(value, high) / high);
  for (const part of [0, .5, 1]) {
    svg.append(s("path", { class: "axis", d: `M${left} ${y(part * high)}H${width - right}` }),
      s("text", { x: left - 6, y: y(part * high) + 4, "text-anchor": "end" }, short(part * high, share)),
      s("text", { x: x(part * most), y: height - 6, "text-anchor": part === 0 ? "start" : part === 1 ? "end" : "middle" }, short(part * most)));
  }
  const names = Object.keys(lines);
  names.forEach((name, i) => {
    const d = lines[name].map(([a, b], k) => `${k ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
    svg.append(s("path", { class: "curve", d, stroke: colour(i) }));
    if (lines[name].length === 1) svg.append(s("circle", { cx: x(lines[name][0][0]), cy: y(lines[name][0][1]), r: 3, fill: colour(i) }));
  });
  box.append(h("div", { class: "legend" }, names.map((name, i) => {
    const dot = h("i");
    dot.style.background = colour(i);
    return h("span", {}, dot, `${name} ${short(lines[name].at(-1)[1], share)}`);
  })));
  return box;
}
