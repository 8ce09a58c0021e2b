// The search tree after each simulation, with N, Q and P on every edge, and what the last one did.

import { h, icon } from "./dom.js";

const number = (value) => value === null || value === undefined ? "–" : value.toFixed(3).replace(/^-(0\.0+)$/, "$1");
const MOST = 200;

export class Tree {
  constructor(panel, board, ask) {
    Object.assign(this, { panel, board, ask, simulations: 0, closed: new Set() });
  }

  look(view) {
    const at = JSON.stringify([view.table, view.moves.slice(0, view.ply)]), other = this.at !== at;
    this.view = view;
    this.at = at;
    if (other) { this.simulations = 0; this.tree = this.before = null; this.closed.clear(); this.run(false); }
    if (!this.panel.hidden && (other || !this.tree)) this.go(0);
    else if (!this.tree) this.draw();
  }

  shown() { if (!this.tree && this.view) this.go(0); else if (this.tree) this.board.setLine(this.way()); }

  hidden() { this.run(false); this.board.setLine(null); }

  go(simulations) {
    if (!this.view || this.view.mover === null || this.view.over) { this.draw(); return; }
    this.simulations = Math.max(0, Math.min(MOST, simulations));
    this.ask({ do: "tree", simulations: this.simulations });
    if (!this.tree) this.draw();
  }

  // One simulation after another, slowly enough to watch.
  run(on = !this.timer) {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => { if (this.simulations >= MOST) this.run(false); else this.go(this.simulations + 1); }, 900) : null;
    if (this.tree) this.draw();
  }

  heard(message) {
    if (message.turnNumber !== this.view?.ply) return;
    this.before = this.tree?.simulations === message.simulations - 1 ? this.tree : null;
    this.tree = message;
    this.simulations = message.simulations;
    this.draw();
    if (!this.panel.hidden) this.board.setLine(this.way());
  }

  // The nodes along the path of the last simulation: [{edge, node, child}, ...].
  steps(tree = this.tree, path = this.tree.path) {
    const found = [];
    let node = tree.root;
    for (const action of path) {
      const edge = node?.edges.find((one) => one.action === action);
      if (!edge) break;
      found.push({ node, edge, child: edge.child });
      node = edge.child;
    }
    return found;
  }

  way() { return this.steps().map(({ node, edge }) => [edge.move, edge.at, node.mover]); }

  draw() {
    const button = (content, step, label, key = "") => h("button", { title: label + key, "aria-label": label, "data-step": step, onclick: () => this.go(step === 0 ? 0 : this.simulations + step) }, content);
    const head = h("div", { class: "row top" }, button(icon("start"), 0, "Begin anew"), button("−1", -1, "One simulation back", " (,)"), button("+1", 1, "One simulation", " (.)"), button("+10", 10, "Ten simulations", " (>)"),
      h("button", { "aria-label": this.timer ? "Stop stepping" : "Step by itself", title: "Step by itself", "data-step": "run", onclick: () => this.run() }, icon(this.timer ? "pause" : "play")));
    const focused = this.panel.contains(document.activeElement) ? document.activeElement.dataset?.step : null;
    const scrolled = this.panel.querySelector(".tree")?.scrollTop || 0;
    if (!this.tree) {
      const over = !this.view || this.view.mover === null || this.view.over;
      this.panel.replaceChildren(head, h("p", { class: "hint" }, over ? "The game is over: there is nothing to search." : "One simulation at a time: selection along Q and P, expansion of a leaf, its evaluation, and the way back up."));
      return;
    }
    const titles = h("div", { class: "edge head" }, ["move", "N", "Q", "P", "S"].map((text) => h("span", {}, text)));
    this.panel.replaceChildren(head, ...this.story(), h("div", { class: "tree", tabindex: 0, role: "region", "aria-label": "search tree" }, titles, this.node(this.tree.root, this.tree.path, [], this.before?.root)));
    this.panel.querySelector(".tree").scrollTop = scrolled;
    if (focused !== null && focused !== undefined) this.panel.querySelector(`[data-step="${focused}"]`)?.focus();
  }

  // What the last simulation did, in its four parts.
  story() {
    const { simulations, root, variant, exploration } = this.tree, steps = this.steps();
    const formula = variant === "uct" ? `S = Q + ${exploration.toFixed(2)} · √(ln N(node) / N)` : `S = Q + ${exploration} · P · √N(node) / (1 + N)`;
    const told = h("p", { class: "hint", id: "tree-told", "data-simulations": simulations },
      `${simulations} simulation${simulations === 1 ? "" : "s"}. `, steps.length ? "The last one:" : `The root was evaluated: ${number(root.evaluation)} for the player to move. The next one follows the highest S.`);
    const chosen = this.before ? this.steps(this.before) : [];
    const scores = steps.map(({ edge }, i) => `${edge.move}${chosen[i] ? ` (S ${chosen[i].edge.S === null ? "∞" : number(chosen[i].edge.S)})` : ""}`).join(", then ");
    const leaf = steps.at(-1)?.child, deep = steps.length < this.tree.path.length || !leaf;
    const parts = steps.length ? [
      ["Selection", `from the root, where S is highest: ${scores}`],
      ["Expansion", deep ? "below what is shown here" : leaf.over ? "nothing: the game is over there" : leaf.N > 1 ? "nothing new: its value is known" : "the position there is new, and gets its moves"],
      ["Evaluation", deep ? "below what is shown here" : `${number(leaf.evaluation)} for player ${leaf.mover + 1}${leaf.over ? ": the result" : variant === "uct" ? ": a random game" : ": the network"}`],
      ["Backup", "along the same way N grows by one, and Q becomes the new mean"],
    ] : [["Selection", "–"], ["Expansion", "–"], ["Evaluation", "–"], ["Backup", "–"]];
    return [told, h("ol", { class: "phases" }, parts.map(([name, text]) => h("li", {}, h("b", {}, name), " ", text))), h("p", { class: "hint formula" }, formula)];
  }

  node(node, path, way, before) {
    const edges = [...node.edges].sort((a, b) => b.N - a.N || b.P - a.P);
    const shown = way.length ? edges.filter((edge) => edge.N > 0 || edge.action === path[0]) : edges;
    return h("ul", {}, shown.map((edge) => {
      const here = [...way, edge.action], on = path[0] === edge.action, key = here.join(" ");
      const was = before?.edges.find((one) => one.action === edge.action);
      const deeper = edge.child?.edges.some((one) => one.N > 0), closed = this.closed.has(key);
      const cell = (name, text) => h("span", was && on && was[name] !== edge[name] ? { class: "changed", title: `was ${was[name] === null ? "–" : name === "N" ? was.N : number(was[name])}` } : {}, text);
      const fold = deeper ? h("button", { class: "fold", "aria-expanded": !closed, "aria-label": `moves after ${edge.move}`, onclick: () => { closed ? this.closed.delete(key) : this.closed.add(key); this.draw(); } }, closed ? "▸" : "▾") : h("span", { class: "fold" });
      return h("li", {},
        h("div", { class: `edge${on ? " path" : ""}${edge.N ? "" : " untried"}`, "data-way": key, "data-n": edge.N, "data-q": edge.Q ?? "", "data-p": edge.P, "data-s": edge.S ?? "" },
          h("span", {}, fold, edge.move, edge.proven ? h("em", { title: "its value is proven" }, " proven") : null), cell("N", edge.N), cell("Q", number(edge.Q)), h("span", {}, number(edge.P)), h("span", {}, edge.proven ? "–" : edge.S === null ? "∞" : number(edge.S))),
        deeper && !closed ? this.node(edge.child, on ? path.slice(1) : [], here, was?.child) : null);
    }));
  }
}
