// The dialog in which a game is begun.

import { $, h } from "./dom.js";

export class Setup {
  constructor(games, ask, begin) {
    this.games = games;
    this.ask = ask;
    this.begin = begin;
    this.chosen = { game: "connect", side: "0", title: null, dial: {} };
    this.values = {};
  }

  open() {
    this.dialog = $("#dialog");
    const tile = (group, value, text, checked) => h("label", {},
      h("input", { type: "radio", name: group, value, checked, onchange: () => this.choose(group, value) }), text);
    this.params = h("div", { class: "params" });
    this.opponents = h("div", { class: "tiles" });
    this.dial = h("div", { class: "dial" });
    const form = h("form", { method: "dialog", onsubmit: () => this.submit() },
      h("h1", {}, "New game"),
      h("fieldset", {}, h("legend", {}, "Game"), h("div", { class: "tiles" },
        this.games.map((game) => tile("game", game.family, game.title, game.family === this.chosen.game)))),
      this.params,
      h("fieldset", {}, h("legend", {}, "Opponent"), this.opponents, this.dial),
      h("fieldset", {}, h("legend", {}, "You play"), h("div", { class: "tiles four" },
        [["0", "First"], ["1", "Second"], ["random", "Either"], ["none", "Just watch"]].map(([value, text]) => tile("side", value, text, value === this.chosen.side)))),
      h("div", { class: "row" }, h("button", { class: "primary", id: "begin", value: "begin" }, "Begin"),
        h("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel"),
        h("span", { class: "grow" }),
        h("button", { type: "button", id: "load", onclick: () => this.load() }, "Open a file")));
    this.dialog.replaceChildren(form);
    this.dialog.setAttribute("aria-label", "New game");
    if (!this.dialog.open) this.dialog.showModal();
    this.showParameters();
    this.request();
  }

  get family() { return this.games.find((game) => game.family === this.chosen.game); }

  get name() {
    const values = this.values[this.chosen.game] || {};
    const parts = this.family.parameters.filter((p) => p.name in values && values[p.name] !== p.value).map((p) => `${p.name}=${values[p.name]}`);
    return parts.length ? `${this.chosen.game}:${parts.join(",")}` : this.chosen.game;
  }

  choose(group, value) {
    this.chosen[group] = value;
    if (group === "game") { this.showParameters(); this.request(); }
  }

  showParameters() {
    const values = (this.values[this.chosen.game] ||= {});
    this.params.replaceChildren(...this.family.parameters.map((p) => {
      const value = values[p.name] ?? p.value;
      const input = p.switch
        ? h("input", { type: "checkbox", name: p.name, checked: Boolean(value), onchange: (e) => { values[p.name] = Number(e.target.checked); this.request(); } })
        : h("input", { type: "number", name: p.name, min: p.low, max: p.high, value, onchange: (e) => {
          const wanted = Math.round(Number(e.target.value));
          if (e.target.checkValidity() && Number.isFinite(wanted)) { values[p.name] = wanted; this.request(); }
        } });
      return h("label", { title: p.help }, p.name, input);
    }));
    if (!this.family.parameters.length) this.params.append(h("span", { class: "hint" }, this.family.summary));
  }

  request() { this.ask({ do: "info", game: this.name }); }

  // What the server says of opponents.
  heard(info) {
    if (!this.dialog?.open) return;
    this.info = info.opponents;
    const titles = this.info.map((one) => one.title);
    if (!titles.includes(this.chosen.title)) this.chosen.title = titles[0];
    this.opponents.replaceChildren(...titles.map((title) => h("label", {},
      h("input", { type: "radio", name: "opponent", value: title, checked: title === this.chosen.title, onchange: () => { this.chosen.title = title; this.showDial(); } }), title)));
    this.showDial();
  }

  get opponent() { return this.info?.find((one) => one.title === this.chosen.title); }

  showDial() {
    const one = this.opponent, most = one.names.length - 1;
    const at = Math.min(this.chosen.dial[one.title] ?? one.start, most);
    this.chosen.dial[one.title] = at;
    const said = h("span", { class: "hint", "aria-live": "polite" }, one.labels[at]);
    this.dial.replaceChildren(...(most ? [h("input", { type: "range", min: 0, max: most, value: at, "aria-label": "strength", "aria-valuetext": one.labels[at],
      oninput: (e) => {
        this.chosen.dial[one.title] = Number(e.target.value);
        said.textContent = one.labels[e.target.value];
        e.target.setAttribute("aria-valuetext", said.textContent);
      } }), said] : [said]));
  }

  submit() {
    if (!this.opponent) return;
    const player = this.opponent.names[this.chosen.dial[this.opponent.title] ?? 0];
    let side = this.chosen.side;
    if (side === "random") side = Math.random() < .5 ? "0" : "1";
    const seats = side === "0" ? ["human", player] : side === "1" ? [player, "human"] : [player === "human" ? "random" : player, player === "human" ? "random" : player];
    this.begin({ do: "new", game: this.name, seats });
  }

  load() {
    const input = h("input", { type: "file", accept: ".jsonl,.json,.txt", onchange: async () => {
      const file = input.files[0];
      if (!file) return;
      this.dialog.close();
      const lines = (await file.text()).trim().split("\n");
      this.begin({ do: "import", text: lines.at(-1).slice(0, 20000) });
    } });
    input.click();
  }
}
