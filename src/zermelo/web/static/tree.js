// The search tree after each simulation, with N, Q and P on every edge.

import { h } from "./dom.js";

const number = (value) => value === null ? "–" : value.toFixed(3);

export class Tree {
  constructor(panel, ask) {
    Object.assign(this, { panel, ask });
    this.simulations = 0;
  }

  look(view) {
    const other = !this.view || this.view.table !== view.table || this.view.ply !== view.ply || this.view.moves.length !== view.moves.length;
    this.view = view;
    if (other) { this.simulations = 0; this.tree = null; }
    if (!this.panel.hidden && (other || !this.tree)) this.go(0);
    else if (!this.tree) this.draw();
  }

  shown() { if (!this.tree && this.view) this.go(0); }

  go(simulations) {
    if (!this.view || this.view.mover === null) { this.draw(); return; }
    this.simulations = Math.max(0, Math.min(200, simulations));
    this.ask({ do: "tree", simulations: this.simulations });
    if (!this.tree) this.draw();
  }

  heard(message) {
    if (message.turnNumber !== this.view?.ply) return;
    this.tree = message;
    this.simulations = message.simulations;
    this.draw();
  }

  draw() {
    const button = (text, step, title) => h("button", { title, "data-step": step, onclick: () => this.go(step === 0 ? 0 : this.simulations + step) }, text);
    const head = h("div", { class: "row top" }, button("«", 0, "Begin anew"), button("−1", -1, "One back"), button("+1", 1, "One simulation (.)"), button("+10", 10, "Ten simulations"));
    const focused = this.panel.contains(document.activeElement) ? document.activeElement.dataset?.step : null;
    if (!this.tree) {
      this.panel.replaceChildren(head, h("p", { class: "hint" }, this.view?.mover === null ? "The game is over." : "One simulation at a time: selection along Q and P, expansion of a leaf, its evaluation, and the way back up."));
      return;
    }
    const root = this.tree.root;
    const told = h("p", { class: "hint", id: "tree-told", "data-simulations": this.tree.simulations },
      `${this.tree.simulations} simulation${this.tree.simulations === 1 ? "" : "s"}. `
      + (this.tree.path.length ? this.story() : `The root is evaluated: ${number(root.evaluation)} for the player to move.`));
    const titles = h("div", { class: "edge head" }, h("span", {}, "move"), h("span", {}, "N"), h("span", {}, "Q"), h("span", {}, "P"));
    this.panel.replaceChildren(head, told, h("div", { class: "tree" }, titles, this.node(root, this.tree.path, [])));
    if (focused !== null && focused !== undefined) this.panel.querySelector(`[data-step="${focused}"]`)?.focus();
  }

  story() {
    let node = this.tree.root;
    const moves = [];
    for (const action of this.tree.path) {
      const edge = node?.edges.find((one) => one.action === action);
      if (!edge) break;
      moves.push(edge.move);
      node = edge.child;
    }
    const found = node ? `; what was found there, ${number(node.evaluation)}, went back up` : "";
    return `The last one followed ${moves.join(" ")}${found}.`;
  }

  node(node, path, way) {
    const edges = [...node.edges].sort((a, b) => b.N - a.N || b.P - a.P);
    const shown = way.length ? edges.filter((edge) => edge.N > 0 || edge.action === path[0]) : edges;
    return h("ul", {}, shown.map((edge) => {
      const here = [...way, edge.action], on = path[0] === edge.action;
      return h("li", {},
        h("div", { class: `edge${on ? " path" : ""}${edge.N ? "" : " untried"}`, "data-way": here.join(" "), "data-n": edge.N, "data-q": edge.Q ?? "", "data-p": edge.P },
          h("span", {}, edge.move), h("span", {}, edge.N), h("span", {}, number(edge.Q)), h("span", {}, number(edge.P))),
        edge.child && edge.child.edges.some((one) => one.N > 0) ? this.node(edge.child, on ? path.slice(1) : [], here) : null);
    }));
  }
}
