// A board as SVG, from what the game says of it: squares, columns in which stones fall, or points.

import { h, s, say } from "./dom.js";

const CELL = 44;

// How stones look; cells that are numbered are drawn on paper, with crosses and rings.
const looks = {
  columns: { first: "url(#red)", second: "url(#yellow)", radius: 17.6, ink: ["#fff", "#3a2a00"] },
  squares: { first: "url(#dark)", second: "url(#light)", radius: 17.5, ink: ["#fff", "#20242b"] },
  points: { first: "url(#dark)", second: "url(#light)", radius: 18.5, ink: ["#fff", "#20242b"] },
  paper: { first: "var(--cross)", second: "var(--ring)", radius: 16, ink: ["var(--card)", "var(--card)"] },
};
const lookOf = (board) => board?.look === "squares" && !board.names ? "paper" : board?.look || "squares";

export const stoneClass = (view, player) => `stone ${lookOf(view.board)} p${player}`;
export const glyph = (look) => {
  const dots = { columns: [[5, 17, 0], [12, 17, 1], [12, 10, 0]], points: [[6, 6, 0], [12, 12, 1], [18, 12, 0]], squares: [[8, 8, 1], [16, 8, 0], [8, 16, 0], [16, 16, 1]], paper: [], list: [] }[look] || [];
  return s("svg", { viewBox: "0 0 24 24", class: `glyph ${look}`, "aria-hidden": "true" },
    s("rect", { width: 24, height: 24, rx: 5, class: "ground" }),
    look === "points" ? s("path", { class: "lines", d: "M6 0v24M12 0v24M18 0v24M0 6h24M0 12h24M0 18h24" }) : null,
    look === "squares" ? s("path", { class: "lines", d: "M12 0v24M0 12h24" }) : null,
    look === "paper" ? s("path", { class: "lines", d: "M12 3v18M3 12h18M5 5l4 4M9 5 5 9M17 14a3 3 0 1 0 .1 0z" }) : null,
    look === "list" ? s("path", { class: "lines", d: "M6 5v14M10 5v14M14 5v14M18 5v14" }) : null,
    dots.map(([cx, cy, player]) => s("circle", { cx, cy, r: look === "squares" ? 3.4 : 2.9, fill: player ? looks[look].second : looks[look].first })));
};

export class BoardView {
  constructor(place, play) {
    Object.assign(this, { place, play, focus: null, before: null, marks: new Map(), line: [] });
  }

  // Draw a position; what is new on it comes in smoothly.
  draw(view) {
    const same = this.before && this.before.table === view.table && this.before.name === view.name;
    const fresh = same && view.ply === this.before.ply + 1;
    const focused = this.hasFocus;
    this.view = view;
    this.place.replaceChildren();
    this.place.closest(".boardside")?.style.setProperty("--most", `${(view.board?.cols ?? 6) * 150}px`);
    if (view.board) this.place.append(this.svg(view, fresh ? this.before.cells : null));
    else {
      this.element = null;
      this.place.append(h("pre", { class: "drawing", role: "img", "aria-label": `position: ${view.drawing}` }, view.drawing));
    }
    const aside = view.legal.filter(([, , at]) => at === null);
    if (!view.board || aside.length) {
      this.place.append(h("div", { class: "choices", role: "group", "aria-label": "moves" },
        aside.map(([, move]) => h("button", { "data-move": move, disabled: !view.active, onclick: () => this.play(move), onmouseenter: () => this.hover?.(move), onmouseleave: () => this.hover?.(null) }, move))));
    }
    if (!same) this.focus = null;
    this.before = view;
    if (focused) this.element?.focus({ preventScroll: true });
    this.paint();
  }

  centre(cell) {
    const { cols, names, look } = this.view.board;
    const left = names && look !== "columns" ? 24 : 0, top = look === "columns" || names ? 24 : 0;
    return [left + (cell % cols) * CELL + CELL / 2, top + Math.floor(cell / cols) * CELL + CELL / 2];
  }

  svg(view, old) {
    const { rows, cols, look, columns, names } = view.board;
    const falls = look === "columns";
    const left = names && !falls ? 24 : 0, top = falls || names ? 24 : 0;
    const width = cols * CELL + (left ? left + 6 : 0), height = rows * CELL + top + (left ? 6 : falls ? 6 : 0);
    this.look = lookOf(view.board);
    const svg = s("svg", {
      viewBox: `0 0 ${width} ${height}`, class: `board ${this.look}`, tabindex: 0, role: "application",
      "aria-label": `${view.title} board, ${rows} rows, ${cols} columns; arrow keys move, Enter plays. ${this.told(view)}`,
    });
    const plate = this.ground(rows, cols, left, top);
    const label = (x, y, text) => s("text", { class: "label", x, y }, text);
    if (top) columns.forEach((text, col) => svg.append(label(left + (col + .5) * CELL, 12, text)));
    if (left) names.forEach((text, row) => svg.append(label(12, top + (row + .5) * CELL, text)));
    const legal = new Map(view.legal.filter(([, , at]) => at !== null).map(([, move, at]) => [at, move]));
    const style = looks[this.look], winners = view.over?.cells || [];
    const stones = s("g", { class: winners.length ? "decided" : "" }), targets = s("g"), above = s("g", { "pointer-events": "none" });
    view.cells.forEach((content, cell) => {
      const [x, y] = this.centre(cell);
      if (content === 1 || content === 2) stones.append(this.stone(cell, content, x, y, old, falls, winners.includes(cell)));
      else if (content) stones.append(s("text", { class: "number", x, y, fill: "var(--ink)" }, content));
    });
    if (view.last !== null && view.last !== undefined && !winners.length) {
      const [cx, cy] = this.centre(view.last);
      above.append(s("circle", { cx, cy, r: this.look === "paper" ? 19 : 5, class: "last" }));
    }
    for (const cell of winners) {
      const [cx, cy] = this.centre(cell);
      above.append(s("circle", { cx, cy, r: style.radius + (falls ? -1 : 1), class: "winring" }));
    }
    this.targets = new Map();
    for (const [cell, move] of legal) {
      const [cx, cy] = this.centre(cell);
      const area = falls
        ? s("rect", { class: "area", x: left + (cell % cols) * CELL, y: 0, width: CELL, height, rx: 10 })
        : s("rect", { class: "area", x: cx - CELL / 2, y: cy - CELL / 2, width: CELL, height: CELL });
      const target = s("g", {
        class: `cell${view.active ? " legal" : ""}`, role: "button", "aria-label": `play ${move}`, "data-move": move, "data-cell": cell,
        onclick: () => view.active && this.play(move),
        onmouseenter: () => this.hover?.(move), onmouseleave: () => this.hover?.(null),
      }, area, this.piece(view.mover, cx, cy, "ghost"));
      if (view.active && view.showLegal) target.append(s("circle", { class: "dot", cx, cy, r: 3.5 }));
      this.targets.set(cell, target);
      targets.append(target);
    }
    this.overlay = s("g", { "pointer-events": "none" });
    const back = falls ? s("rect", { x: 3, y: top + 3, width: width - 6, height: height - top - 6, rx: 8, class: "back" }) : null;
    svg.append(...(falls ? [back, stones, plate] : [plate, stones]), above, targets, this.overlay);
    svg.addEventListener("focus", () => { if (this.focus === null) this.focus = [...legal.keys()][0] ?? 0; this.paint(); });
    svg.addEventListener("blur", () => this.paint());
    this.element = svg;
    return svg;
  }

  ground(rows, cols, left, top) {
    const width = cols * CELL, height = rows * CELL;
    if (this.look === "columns") { // a plate with holes; stones lie behind it
      let d = `M0 ${top + 10}a10 10 0 0 1 10-10h${width - 20}a10 10 0 0 1 10 10v${height - 14}a10 10 0 0 1-10 10H10a10 10 0 0 1-10-10z`;
      const rims = [];
      for (let cell = 0; cell < rows * cols; cell++) {
        const [cx, cy] = this.centre(cell);
        d += `M${cx - 17} ${cy}a17 17 0 1 0 34 0a17 17 0 1 0-34 0z`;
        rims.push(s("circle", { cx, cy, r: 17, class: "rim" }));
      }
      return s("g", { class: "plate" }, s("path", { d, "fill-rule": "evenodd", class: "ground" }), rims);
    }
    const points = this.look === "points", paper = this.look === "paper", inset = points ? CELL / 2 : 0;
    let path = "";
    for (let i = inset ? 0 : 1; i < cols; i++) path += `M${left + inset + i * CELL} ${top + (paper ? 6 : inset)}v${height - (paper ? 12 : 2 * inset)}`;
    for (let i = inset ? 0 : 1; i < rows; i++) path += `M${left + (paper ? 6 : inset)} ${top + inset + i * CELL}h${width - (paper ? 12 : 2 * inset)}`;
    const parts = [s("rect", { x: left, y: top, width, height, rx: paper ? 10 : 6, class: "ground" }), s("path", { d: path, class: "lines" })];
    if (points && rows === cols && rows >= 9 && rows % 2) {
      for (const r of [3, (rows - 1) / 2, rows - 4]) for (const c of [3, (cols - 1) / 2, cols - 4]) {
        parts.push(s("circle", { cx: left + (c + .5) * CELL, cy: top + (r + .5) * CELL, r: 3, class: "star" }));
      }
    }
    return s("g", { class: "plate" }, parts);
  }

  // A stone, or on paper a cross or a ring.
  piece(player, x, y, name, attributes = {}) {
    const style = looks[this.look];
    if (this.look === "paper") {
      const d = player === 0 ? `M${x - 10} ${y - 10}l20 20M${x + 10} ${y - 10}l-20 20` : `M${x - 11} ${y}a11 11 0 1 0 22 0a11 11 0 1 0-22 0z`;
      return s("path", { d, class: `drawn p${player} ${name}`, ...attributes });
    }
    return s("circle", { cx: x, cy: y, r: style.radius, fill: player === 0 ? style.first : style.second, class: `p${player} ${name}`, ...attributes });
  }

  stone(cell, content, x, y, old, falls, wins) {
    const isNew = old && old[cell] !== content;
    const how = !isNew ? "" : falls ? " dropping" : old[cell] ? " flipping" : " placing";
    const stone = this.piece(content - 1, x, y, `stone${how}`, { "data-stone": content });
    if (isNew && falls) stone.style.setProperty("--fall", `${-y}px`);
    return s("g", { class: wins ? "wins" : "" }, stone);
  }

  // Marks of an analysis: Map from cell to {text, sub, kind, strength}.
  setMarks(marks) { this.marks = marks; this.paint(); }

  // A line of moves, numbered: [[name, cell, player], ...].
  setLine(line) { this.line = line || []; this.paint(); }

  paint() {
    if (!this.overlay || !this.view.board) return;
    this.overlay.replaceChildren();
    const style = looks[this.look];
    if (this.line.length) {
      const shown = new Map();
      this.line.forEach(([, cell, player], i) => { if (cell !== null && !shown.has(cell)) shown.set(cell, [i + 1, player]); });
      for (const [cell, [number, player]] of shown) {
        const [cx, cy] = this.centre(cell);
        this.overlay.append(s("circle", { cx, cy, r: style.radius - 1, fill: player === 0 ? style.first : style.second, class: "planned" }),
          s("text", { class: "number", x: cx, y: cy, fill: style.ink[player] }, number));
      }
    } else {
      for (const [cell, mark] of this.marks) {
        const [cx, cy] = this.centre(cell);
        this.overlay.append(s("rect", { x: cx - 17, y: cy - 17, width: 34, height: 34, rx: 9, class: `marked ${mark.kind}`, opacity: mark.strength ?? .9 }),
          s("text", { class: "mark", x: cx, y: mark.sub ? cy - 4 : cy }, mark.text));
        if (mark.sub) this.overlay.append(s("text", { class: "sub", x: cx, y: cy + 8 }, mark.sub));
      }
    }
    for (const [cell, target] of this.targets) target.classList.toggle("focus", this.hasFocus && this.element.matches(":focus-visible") && cell === this.landing);
    if (this.hasFocus && this.focus !== null && this.element.matches(":focus-visible")) {
      const [cx, cy] = this.centre(this.landing ?? this.focus);
      this.overlay.append(s("rect", { class: "focusring", x: cx - 20, y: cy - 20, width: 40, height: 40, rx: 10 }));
    }
  }

  get hasFocus() { return Boolean(this.element) && document.activeElement === this.element; }

  // In columns the cell in which a stone would land.
  get landing() {
    if (this.view.board.look !== "columns" || this.focus === null) return this.focus;
    const { cols } = this.view.board;
    for (const cell of this.targets.keys()) if (cell % cols === this.focus % cols) return cell;
    return this.focus;
  }

  cellName(cell) {
    const { cols, look, columns, names } = this.view.board;
    if (look === "columns") return `column ${columns[cell % cols]}`;
    return names ? columns[cell % cols] + names[Math.floor(cell / cols)] : `${cell + 1}`;
  }

  // The stones in words.
  told(view) {
    const stones = (content) => view.cells.map((one, cell) => one === content ? cell : -1).filter((cell) => cell >= 0);
    const { cols, columns, look, names, rows } = view.board;
    const name = (cell) => look === "columns" ? `${columns[cell % cols]}${rows - Math.floor(cell / cols)}` : names ? columns[cell % cols] + names[Math.floor(cell / cols)] : cell + 1;
    return [1, 2].map((content) => `Player ${content}: ${stones(content).map(name).join(" ") || "nothing"}.`).join(" ");
  }

  key(name) {
    if (!this.view?.board) return false;
    const { rows, cols } = this.view.board;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols };
    if (name in steps) {
      const at = this.focus ?? 0, col = at % cols, next = at + steps[name];
      const aside = name === "ArrowLeft" ? col > 0 : name === "ArrowRight" ? col < cols - 1 : true;
      if (aside && next >= 0 && next < rows * cols) this.focus = next;
      const content = this.view.cells[this.landing], can = this.targets.has(this.landing) && this.view.active;
      say(`${this.cellName(this.landing)}, ${content ? `player ${content}` : "empty"}${can ? ", you can play here" : ""}`);
      this.paint();
      return true;
    }
    if (name === "Enter" || name === " ") {
      const target = this.targets.get(this.landing);
      if (target && this.view.active) this.play(target.dataset.move);
      return true;
    }
    return false;
  }
}

// A small picture of a position.
export function thumbnail(view) {
  if (!view.board) return h("pre", { class: "drawing" }, view.drawing);
  const drawn = new BoardView(h("div"), () => {});
  drawn.view = { ...view, legal: [], title: "", active: false, over: null };
  const svg = drawn.svg(drawn.view, null);
  svg.removeAttribute("tabindex");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "final position");
  return svg;
}
