// The dialog in which a game is begun.

import { $, dialog, h } from "./dom.js";
import { glyph } from "./board.js";

const ELSEWHERE = "A person elsewhere";

export class Setup {
  constructor(games, hasRuns, ask, begin, load) {
    Object.assign(this, { games, hasRuns, ask, begin, load });
    this.chosen = { game: "connect", side: "0", title: null, dial: {}, mode: {} };
    this.values = {};
  }

  open() {
    const tile = (group, value, content, checked) => h("label", {},
      h("input", { type: "radio", name: group, value, checked, onchange: () => this.choose(group, value) }), content);
    this.params = h("div", { class: "params" });
    this.opponents = h("div", { class: "tiles", id: "opponents" });
    this.dials = h("div", { class: "dials" });
    const form = h("form", { method: "dialog", onsubmit: () => this.submit() },
      h("h1", {}, "New game"),
      h("fieldset", {}, h("legend", {}, "Game"), h("div", { class: "tiles games-to-choose" },
        this.games.map((game) => tile("game", game.family, [glyph(game.look), game.title], game.family === this.chosen.game)))),
      this.params,
      h("fieldset", {}, h("legend", {}, "Opponent"), this.opponents, this.dials),
      h("fieldset", {}, h("legend", {}, "You play"), h("div", { class: "tiles four" },
        [["0", "First"], ["1", "Second"], ["random", "Either"], ["none", "Just watch"]].map(([value, text]) => tile("side", value, text, value === this.chosen.side)))),
      h("div", { class: "row end" }, h("button", { type: "button", id: "load", onclick: () => this.load(this.name) }, "Open a game"),
        h("span", { class: "grow" }),
        h("button", { type: "button", onclick: () => $("#dialog").close() }, "Cancel"),
        h("button", { class: "primary", id: "begin", value: "begin" }, "Begin")));
    this.box = dialog("New game", form);
    this.showParameters();
    this.request();
    clearInterval(this.timer);
    // While a run learns, its networks become more and better.
    if (this.hasRuns) this.timer = setInterval(() => { if (form.isConnected && this.box.open) this.request(); else clearInterval(this.timer); }, 3000);
  }

  // Begin with the game that is being played, and its size.
  follow(name) {
    const [word, rest = ""] = name.split(":"), family = this.games.find((game) => game.family === word) || this.games.find((game) => word.startsWith(game.family));
    if (!family) return;
    this.chosen.game = family.family;
    const parts = rest.split(",").filter(Boolean).map((part) => part.split("=")).map(([key, value]) => [key, Number(value)]);
    this.values[family.family] = Object.fromEntries(parts.filter(([, value]) => Number.isFinite(value)));
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
    this.params.replaceChildren(h("p", { class: "hint" }, this.family.summary.replaceAll("`", "")), ...this.family.parameters.map((p) => {
      const value = values[p.name] ?? p.value;
      const input = p.switch
        ? h("input", { type: "checkbox", name: p.name, checked: Boolean(value), onchange: (e) => { values[p.name] = Number(e.target.checked); this.request(); } })
        : h("input", { type: "number", name: p.name, min: p.low, max: p.high, value, onchange: (e) => {
          const wanted = Math.round(Number(e.target.value));
          if (e.target.checkValidity() && Number.isFinite(wanted)) { values[p.name] = wanted; this.request(); }
        } });
      return h("label", {}, input, p.help || p.name);
    }));
  }

  request() { this.ask({ do: "info", game: this.name }); }

  // What the server says of opponents.
  heard(info) {
    if (!this.box?.open || !this.opponents.isConnected) return;
    const text = JSON.stringify(info.opponents);
    if (text === this.text && this.opponents.childElementCount) return;
    this.text = text;
    this.info = info.opponents;
    const titles = this.info.map((one) => one.title), focused = document.activeElement?.name === "opponent" ? document.activeElement.value : null;
    if (!titles.includes(this.chosen.title)) this.chosen.title = titles[0];
    this.opponents.replaceChildren(...this.info.map(({ title, hint }) => h("label", { title: hint },
      h("input", { type: "radio", name: "opponent", value: title, checked: title === this.chosen.title, onchange: () => { this.chosen.title = title; this.showDials(); } }), title)));
    if (focused) this.opponents.querySelector(`[value="${CSS.escape(focused)}"]`)?.focus();
    this.showDials();
  }

  get opponent() { return this.info?.find((one) => one.title === this.chosen.title); }

  // Of a part the slider that is chosen, and where it stands.
  at(part) {
    const key = `${this.opponent.title} ${part}`, modes = this.opponent.parts[part];
    const mode = modes.find((one) => one.title === this.chosen.mode[key]) || modes[0];
    const dial = `${key} ${mode.title}`;
    return { key, dial, modes, mode, value: Math.min(this.chosen.dial[dial] ?? mode.start, mode.values.length - 1) };
  }

  showDials() {
    const one = this.opponent;
    this.dials.replaceChildren(h("p", { class: "hint" }, `${one.hint}.`), ...one.parts.map((_, part) => {
      const { key, dial, modes, mode, value } = this.at(part), most = mode.values.length - 1;
      const said = h("output", { class: "hint" }, mode.labels[value]);
      return h("div", { class: "dial" },
        modes.length > 1 ? h("div", { class: "segments", role: "group", "aria-label": "strength by" }, modes.map((other) => h("button", { type: "button", "aria-pressed": other === mode, "data-mode": other.title, onclick: () => {
          this.chosen.mode[key] = other.title;
          this.showDials();
          this.dials.querySelector(`[data-mode="${other.title}"]`)?.focus();
        } }, other.title))) : h("span", { class: "mode" }, mode.title),
        most ? h("input", { type: "range", min: 0, max: most, value, "aria-label": mode.title, "aria-valuetext": mode.labels[value], "data-part": part,
          oninput: (e) => {
            this.chosen.dial[dial] = Number(e.target.value);
            said.textContent = mode.labels[e.target.value];
            e.target.setAttribute("aria-valuetext", said.textContent);
          } }) : null, said);
    }));
  }

  submit() {
    if (!this.opponent) return;
    const one = this.opponent, parts = one.parts.map((_, part) => { const { mode, value } = this.at(part); return mode.values[value]; });
    const player = parts.length ? `${one.word}:${parts.join(",")}` : one.word;
    let side = this.chosen.side;
    if (side === "random") side = Math.random() < .5 ? "0" : "1";
    if (one.title === ELSEWHERE) return this.begin({ do: "new", game: this.name, seats: ["human", "human"], apart: side === "1" ? 1 : 0 });
    const watched = player === "human" ? "random" : player;
    this.begin({ do: "new", game: this.name, seats: side === "0" ? ["human", player] : side === "1" ? [player, "human"] : [watched, watched] });
  }
}
