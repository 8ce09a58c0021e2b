// Who plays, and how the game stands, in words.

import { thousands } from "./dom.js";

const TITLES = { human: "Person", uct: "Tree search", minimax: "Minimax", perfect: "Perfect play", random: "Random", greedy: "Greedy" };

export function seatWords(name) {
  const [kind, rest = ""] = name.split(/:(.*)/s);
  const values = Object.fromEntries(rest.split(",").filter(Boolean).map((part) => part.split("=")));
  const title = kind === "az" ? (values.model ? `Run ${values.model.replace("@", ", round ")}` : "Trained network") : TITLES[kind] || kind;
  const size = values.level ? `level ${values.level}` : values.sims ? `${thousands(Number(values.sims))} simulations`
    : values.time ? `${values.time} s for a move` : values.depth ? `${values.depth} moves ahead` : "";
  return { title, size };
}

const people = (view) => view.seats.filter((name) => name === "human").length;

// "You" where that is clear: one person against a player, or one's own seat in a game on two devices.
export function who(view, player) {
  if (view.apart) return view.you === player ? "You" : view.you === null ? `Player ${player + 1}` : "The other player";
  return people(view) === 1 ? (view.seats[player] === "human" ? "You" : seatWords(view.seats[player]).title) : `Player ${player + 1}`;
}

export function seatLabel(view, player) {
  if (view.seats[player] === "human") return [who(view, player), view.apart && !view.present.includes(player) ? "not here yet" : ""];
  const { title, size } = seatWords(view.seats[player]);
  return [title, size];
}

export function statusWords(view) {
  if (view.branch !== null) return [`A variation: it leaves the game after move ${view.branch}. `, "The game itself stays as it is."];
  if (view.ply < view.live) return [`After move ${view.ply} of ${view.live}. `, "A move here begins a variation."];
  if (view.over) {
    const { winner, text } = view.over;
    if (winner === null) return ["", "A draw."];
    const name = who(view, winner);
    return [text.includes("resigned") ? `${who(view, 1 - winner)} resigned. ` : "", name === "You" ? "You win." : `${name} wins.`];
  }
  const name = who(view, view.mover);
  if (view.thinking) return [`${name} is thinking.`, ""];
  const other = who(view, 1 - view.mover);
  const last = view.moves.length && (people(view) === 1 || view.apart) ? `${other} played ${view.moves.at(-1)}. ` : "";
  return [last, name === "You" ? "Your move." : `${name} to move.`];
}
