// The moves of the game, the variations that are kept, and the way through them.

import { h, icon } from "./dom.js";

export class Moves {
  constructor(panel, ask, go) { Object.assign(this, { panel, ask, go }); }

  show(view, exploring, toggleExploring) {
    const marks = new Map(view.verdicts.map((one) => [one.ply, one]));
    const items = view.moves.flatMap((move, i) => {
      const verdict = marks.get(i);
      const cost = verdict?.mark ? h("span", { class: "cost" }, `${verdict.mark} −${Math.round(verdict.cost * 100)}`) : null;
      const better = verdict?.mark && verdict.best ? `; better was ${verdict.best}${verdict.outcome ? ` (${verdict.outcome})` : ""}` : "";
      const beside = view.branch !== null && i >= view.branch;
      return [i % 2 === 0 ? h("span", { class: "n" }, i / 2 + 1) : null,
        h("button", { class: beside ? "beside" : null, "aria-current": view.ply === i + 1 ? "true" : null, "data-ply": i + 1, title: `after ${move}${better}`, onclick: () => this.go(i + 1) }, move, cost)];
    });
    const list = h("div", { class: "moves", role: "group", "aria-label": "moves" }, items);
    const step = (name, ply, label, key) => h("button", { "aria-label": label, title: `${label} (${key})`, onclick: () => this.go(ply), disabled: ply < 0 || ply > view.live || ply === view.ply }, icon(name));
    const focused = this.panel.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") || document.activeElement.id : null;
    this.panel.replaceChildren(
      view.moves.length ? list : h("p", { class: "hint moves-none" }, "No moves yet. Click on the board, or use the arrow keys and Enter."),
      h("div", { class: "row" }, step("start", 0, "To the start", "{"), step("back", view.ply - 1, "One back", "["), step("forward", view.ply + 1, "One forward", "]"), step("end", view.live, "To the end", "}"),
        h("span", { class: "grow" }),
        h("button", { id: "explore", "aria-pressed": exploring, title: "Moves on the board are tried out beside the game (E)", onclick: toggleExploring }, "Try out")),
      this.beside(view), this.kept(view));
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - 60;
    if (focused) [...this.panel.querySelectorAll("button")].find((one) => one.id === focused || one.getAttribute("aria-label") === focused)?.focus();
  }

  // What can be done with a variation, or with an earlier position.
  beside(view) {
    const button = (id, text, title, message) => h("button", { id, title, onclick: () => this.ask(message) }, text);
    const away = view.branch !== null || view.ply < view.live;
    return h("div", { class: "row variation" }, view.branch !== null ? [
      button("to-game", "Back to the game", "Leave this variation (B)", { do: "game" }),
      view.isKept ? null : button("keep", "Keep", "Keep this variation (K)", { do: "keep" })] : null,
    away && !view.puzzle && !view.apart ? button("adopt", "Play on from here", "Make this the game; what it was is kept (Y)", { do: "adopt" }) : null);
  }

  kept(view) {
    if (!view.lines.length) return "";
    return h("div", { class: "kept", role: "group", "aria-label": "variations that are kept" }, h("h2", {}, "Variations"), view.lines.map((line, i) => h("div", { class: "row" },
      h("button", { class: "line", title: line.moves.join(" "), onclick: () => this.ask({ do: "line", number: i }) },
        h("span", { class: "n" }, `${line.branch}:`), ` ${line.moves.slice(line.branch, line.branch + 6).join(" ") || "the start"}${line.moves.length > line.branch + 6 ? " …" : ""}`),
      h("button", { class: "quiet", "aria-label": `forget variation ${i + 1}`, title: "Forget", onclick: () => this.ask({ do: "forget", number: i }) }, icon("close")))));
  }
}
