// Games that leave the page and come to it: links, invitations, files.

import { $, dialog, h, s, toast } from "./dom.js";

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    dialog("Link", h("h1", {}, "Copy this link"), h("input", { class: "address", readonly: true, value: text, "aria-label": "link", onfocus: (e) => e.target.select() }), close());
    $("#dialog input").focus();
  }
}

const close = () => h("div", { class: "row end" }, h("span", { class: "grow" }), h("button", { class: "primary", onclick: () => $("#dialog").close() }, "Close"));

export const share = (view) => copy(`${location.origin}/#game=${encodeURIComponent(view.name)}&moves=${view.moves.map(encodeURIComponent).join("_")}`, "A link that holds the game is copied.");

// A link for the other player, or for those who want to look on; as a QR code where other devices can come.
export function invite({ join, elsewhere, code }, view) {
  const link = `${elsewhere || `${location.origin}/`}#join=${join}`;
  const path = (code || []).flatMap((row, y) => [...row].map((bit, x) => bit === "1" ? `M${x + 3} ${y + 3}h1v1h-1z` : "")).join("");
  const size = (code?.length || 0) + 6;
  dialog("Invite", h("h1", {}, view.apart && view.you !== null ? "Invite the other player" : "Invite somebody to this game"),
    h("p", { class: "hint" }, elsewhere ? "Scan the code with the other device, or send the link. Who has it can join." : "This link works on this computer, in any window. For other devices, start the server with: zermelo serve --lan"),
    code?.length ? s("svg", { class: "code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" }, s("rect", { width: size, height: size, fill: "#fff" }), s("path", { d: path, fill: "#000" })) : "",
    h("input", { class: "address", readonly: true, value: link, "aria-label": "link", onfocus: (e) => e.target.select() }),
    h("div", { class: "row end" }, h("button", { onclick: () => copy(link, "The link is copied.") }, "Copy the link"), h("span", { class: "grow" }), h("button", { class: "primary", onclick: () => $("#dialog").close() }, "Close")));
}

function fetched(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const KINDS = { ".jsonl": "Zermelo", ".sgf": "SGF", ".psq": "Piskvork", ".ggf": "GGF", ".moves": "moves" };

// Files by their endings; where there are several, one is chosen.
export function download(files, game) {
  const name = game.replace(/[^\w-]+/g, "-"), endings = Object.keys(files);
  const save = (ending) => { $("#dialog").close(); fetched(files[ending], `${name}${ending}`); };
  if (endings.length === 1) { save(endings[0]); return; }
  dialog("Save", h("h1", {}, "Save the game as"),
    h("div", { class: "row" }, ...endings.map((ending) => h("button", { "data-ending": ending, onclick: () => save(ending) }, `${KINDS[ending] || ""} ${ending}`.trim()))),
    h("div", { class: "row end" }, h("span", { class: "grow" }), h("button", { onclick: () => $("#dialog").close() }, "Cancel")));
  $("#dialog [data-ending]").focus();
}

// Open what was saved: a file of JSON lines, of another format of records, or moves as players write them.
export function load(game, title, begin) {
  const box = $("#dialog");
  const open = (line) => { box.close(); begin({ do: "import", text: line.slice(0, 20000) }); };
  const list = h("div", { class: "games-in-file", role: "group", "aria-label": "games in this text" });
  const text = h("textarea", { id: "pasted", rows: 4, "aria-label": "moves or a record", placeholder: `moves of ${title}, or a record` });
  const read = (content) => {
    if (/^\s*(\(;|piskvorky)/i.test(content)) { open(content); return; }
    const lines = content.split("\n").map((line) => line.trim()).filter((line) => line.startsWith("{")).slice(0, 500);
    if (!lines.length) { box.close(); begin({ do: "new", game, seats: ["human", "human"], text: content.trim().slice(0, 20000) }); return; }
    if (lines.length === 1) { open(lines[0]); return; }
    list.replaceChildren(...lines.map((line, i) => {
      let told = "cannot be read";
      try { const one = JSON.parse(line); told = `${one.game}: ${one.players.join(" – ")}, ${one.moves.length} moves, ${one.result}`; } catch { /* the server says why */ }
      return h("button", { onclick: () => open(line) }, `${i + 1}. ${told}`);
    }));
    list.querySelector("button").focus();
  };
  const file = h("input", { type: "file", accept: ".jsonl,.json,.sgf,.psq,.ggf,.txt", onchange: async () => { if (file.files[0]) read(await file.files[0].text()); } });
  dialog("Open a game", h("h1", {}, "Open a game"), h("p", { class: "hint" }, "A file that was saved here or by zermelo play --record, SGF, psq, GGF, or moves as players write them."),
    h("div", { class: "row" }, h("button", { id: "choose-file", onclick: () => file.click() }, "Choose a file")), text, list,
    h("div", { class: "row end" }, h("span", { class: "grow" }), h("button", { onclick: () => box.close() }, "Cancel"), h("button", { id: "open-text", class: "primary", onclick: () => { if (text.value.trim()) read(text.value); } }, "Open")));
  text.focus();
}
