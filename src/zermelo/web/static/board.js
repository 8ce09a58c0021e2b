// A board as SVG, from what the game says of it: squares, columns in which stones fall, or points.

import { h, s } from "./dom.js";

const CELL = 44;

const looks = {
  columns: { first: "var(--first)", second: "var(--second)", radius: 17.5 },
  squares: { first: "var(--dark-stone)", second: "var(--light-stone)", radius: 17.5 },
  points: { first: "var(--dark-stone)", second: "var(--light-stone)", radius: 18.5 },
};

export function colourOf(view, player) {
  const look = looks[view.board?.look] || looks.squares;
  return player === 0 ? look.first : look.second;
}

export class BoardView {
  constructor(place, play) {
    this.place = place;
    this.play = play;
    this.focus = null;
    this.before = null;
    this.marks = new Map();
    this.line = [];
  }

  // Draw a position; what is new on it comes in smoothly.
  draw(view) {
    const same = this.before && this.before.table === view.table && this.before.name === view.name;
    const fresh = same && Math.abs(view.ply - this.before.ply) === 1 && view.ply > this.before.ply;
    this.view = view;
    this.place.replaceChildren();
    if (view.board) this.place.append(this.svg(view, fresh ? this.before.cells : null));
    else this.place.append(h("pre", { class: "drawing", role: "img", "aria-label": "position" }, view.drawing));
    const aside = view.legal.filter(([, , at]) => at === null);
    if (!view.board || aside.length) {
      this.place.append(h("div", { class: "choices", role: "group", "aria-label": "moves" },
        aside.map(([, move]) => h("button", { "data-move": move, disabled: !view.yours, onclick: () => this.play(move) }, move))));
    }
    this.before = view;
    this.paint();
  }

  centre(cell) {
    const { cols, names } = this.view.board;
    const left = names && this.view.board.look !== "columns" ? 24 : 0;
    const top = this.view.board.look === "columns" || names ? 24 : 0;
    return [left + (cell % cols) * CELL + CELL / 2, top + Math.floor(cell / cols) * CELL + CELL / 2];
  }

  svg(view, old) {
    const { rows, cols, look, columns, names } = view.board;
    const falls = look === "columns";
    const left = names && !falls ? 24 : 0, top = falls || names ? 24 : 0;
    const width = cols * CELL + 2 * left, height = rows * CELL + top + (left ? 6 : falls ? 4 : 0);
    const svg = s("svg", {
      viewBox: `0 0 ${width} ${height}`, class: "board", tabindex: 0, role: "application",
      "aria-label": `${view.title} board, ${rows} rows, ${cols} columns; arrow keys move, Enter plays`,
    });
    svg.append(...this.ground(rows, cols, look, left, top));
    const label = (x, y, text) => s("text", { class: "label", x, y }, text);
    if (top) columns.forEach((text, col) => svg.append(label(left + (col + .5) * CELL, 12, text)));
    if (left) names.forEach((text, row) => svg.append(label(12, top + (row + .5) * CELL, text)));
    const legal = new Map(view.legal.filter(([, , at]) => at !== null).map(([, move, at]) => [at, move]));
    const style = looks[look];
    const winners = new Set(view.over?.cells || []);
    const stones = s("g"), targets = s("g");
    view.cells.forEach((content, cell) => {
      const [x, y] = this.centre(cell);
      if (content === 1 || content === 2) stones.append(this.stone(cell, content, x, y, style, old, falls, winners));
      else if (content) stones.append(s("text", { class: "number", x, y, fill: "var(--ink)" }, content));
    });
    if (view.last !== null && view.last !== undefined) {
      const [cx, cy] = this.centre(view.last);
      stones.append(s("circle", { cx, cy, r: 5, fill: "none", stroke: falls ? "#fff" : "#e0912f", "stroke-width": 2.5, class: "dot" }));
    }
    this.targets = new Map();
    for (const [cell, move] of legal) {
      const [cx, cy] = this.centre(cell);
      const area = falls
        ? s("rect", { x: left + (cell % cols) * CELL, y: 0, width: CELL, height, fill: "transparent" })
        : s("rect", { x: cx - CELL / 2, y: cy - CELL / 2, width: CELL, height: CELL, fill: "transparent" });
      const target = s("g", {
        class: `cell${view.yours ? " legal" : ""}`, role: "button", "aria-label": `play ${move}`, "data-move": move, "data-cell": cell,
        onclick: () => view.yours && this.play(move),
        onmouseenter: () => this.hover?.(move), onmouseleave: () => this.hover?.(null),
      }, area, s("circle", { class: "ghost", cx, cy, r: style.radius, fill: view.mover === 0 ? style.first : style.second }));
      if (view.yours && view.showLegal) target.append(s("circle", { class: "dot", cx, cy, r: 3.5, fill: "#fff", opacity: .55 }));
      this.targets.set(cell, target);
      targets.append(target);
    }
    this.overlay = s("g", { "pointer-events": "none" });
    svg.append(stones, targets, this.overlay);
    svg.addEventListener("focus", () => { if (this.focus === null) this.focus = [...legal.keys()][0] ?? 0; this.paint(); });
    svg.addEventListener("blur", () => this.paint());
    this.element = svg;
    return svg;
  }

  ground(rows, cols, look, left, top) {
    const width = cols * CELL, height = rows * CELL;
    const fill = { columns: "var(--columns)", points: "var(--wood)", squares: "var(--green)" }[look];
    const parts = [s("rect", { x: left, y: top, width, height: height + (look === "columns" ? 4 : 0), rx: 12, fill })];
    if (look === "columns") {
      for (let cell = 0; cell < rows * cols; cell++) {
        const [cx, cy] = this.centre(cell);
        parts.push(s("circle", { cx, cy, r: 18, fill: "var(--hole)" }));
      }
      return parts;
    }
    const inset = look === "points" ? CELL / 2 : 0;
    let path = "";
    for (let i = inset ? 0 : 1; i < cols; i++) path += `M${left + inset + i * CELL} ${top + inset}v${height - 2 * inset}`;
    for (let i = inset ? 0 : 1; i < rows; i++) path += `M${left + inset} ${top + inset + i * CELL}h${width - 2 * inset}`;
    parts.push(s("path", { d: path, stroke: look === "points" ? "var(--grid)" : "var(--greenline)", "stroke-width": look === "points" ? 1 : 1.5, fill: "none" }));
    if (look === "points" && rows === cols && rows >= 9 && rows % 2) {
      for (const r of [3, (rows - 1) / 2, rows - 4]) for (const c of [3, (cols - 1) / 2, cols - 4]) {
        parts.push(s("circle", { cx: left + (c + .5) * CELL, cy: top + (r + .5) * CELL, r: 3, fill: "var(--grid)" }));
      }
    }
    return parts;
  }

  stone(cell, content, x, y, style, old, falls, winners) {
    const isNew = old && old[cell] !== content;
    const stone = s("circle", {
      cx: x, cy: y, r: style.radius, fill: content === 1 ? style.first : style.second, "data-stone": content,
      stroke: winners.has(cell) ? "#fff" : "#0004", "stroke-width": winners.has(cell) ? 3 : 1,
      class: `stone${isNew ? (falls ? " dropping" : " placing") : ""}`,
    });
    if (isNew && falls) stone.style.setProperty("--fall", `${-y}px`);
    return stone;
  }

  // Marks of an analysis: Map from cell to {text, sub, colour, strength}.
  setMarks(marks) {
    this.marks = marks;
    this.paint();
  }

  // A line of moves, numbered: [[name, cell, player], ...].
  setLine(line) {
    this.line = line || [];
    this.paint();
  }

  paint() {
    if (!this.overlay || !this.view.board) return;
    this.overlay.replaceChildren();
    const style = looks[this.view.board.look];
    if (this.line.length) {
      const shown = new Map();
      this.line.forEach(([, cell, player], i) => { if (cell !== null && !shown.has(cell)) shown.set(cell, [i + 1, player]); });
      for (const [cell, [number, player]] of shown) {
        const [cx, cy] = this.centre(cell);
        this.overlay.append(s("circle", { cx, cy, r: style.radius, fill: player === 0 ? style.first : style.second, opacity: .88, stroke: "#0004" }));
        const ink = player === 0 ? "#fff" : "#20242b";
        this.overlay.append(s("text", { class: "number", x: cx, y: cy, fill: ink }, number));
      }
    } else {
      for (const [cell, mark] of this.marks) {
        const [cx, cy] = this.centre(cell);
        this.overlay.append(s("circle", { cx, cy, r: style.radius - .5, fill: mark.colour, opacity: mark.strength ?? .9 }));
        this.overlay.append(s("text", { class: "mark", x: cx, y: mark.sub ? cy - 4 : cy }, mark.text));
        if (mark.sub) this.overlay.append(s("text", { class: "sub", x: cx, y: cy + 8 }, mark.sub));
      }
    }
    for (const [cell, target] of this.targets) target.classList.toggle("focus", this.hasFocus && cell === this.landing);
    if (this.hasFocus && this.focus !== null) {
      const [cx, cy] = this.centre(this.landing ?? this.focus);
      this.overlay.append(s("rect", { class: "focusring", x: cx - 20, y: cy - 20, width: 40, height: 40, rx: 10 }));
    }
  }

  get hasFocus() { return document.activeElement === this.element; }

  // In columns the cell in which a stone would land.
  get landing() {
    if (this.view.board.look !== "columns" || this.focus === null) return this.focus;
    const { cols } = this.view.board;
    for (const cell of this.targets.keys()) if (cell % cols === this.focus % cols) return cell;
    return this.focus;
  }

  key(name) {
    if (!this.view?.board) return false;
    const { rows, cols } = this.view.board;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols };
    if (name in steps) {
      const at = this.focus ?? 0, col = at % cols, next = at + steps[name];
      const aside = name === "ArrowLeft" ? col > 0 : name === "ArrowRight" ? col < cols - 1 : true;
      if (aside && next >= 0 && next < rows * cols) this.focus = next;
      this.paint();
      return true;
    }
    if (name === "Enter" || name === " ") {
      const target = this.targets.get(this.landing);
      if (target && this.view.yours) this.play(target.dataset.move);
      return true;
    }
    return false;
  }
}

// A small picture of a position.
export function thumbnail(view) {
  if (!view.board) return h("pre", { class: "drawing" }, view.drawing);
  const drawn = new BoardView(h("div"), () => {});
  drawn.view = { ...view, legal: [], title: "", yours: false, over: null };
  const svg = drawn.svg(drawn.view, null);
  svg.removeAttribute("tabindex");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "final position");
  return svg;
}
