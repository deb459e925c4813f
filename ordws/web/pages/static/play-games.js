// The games of this browser, its play link and the player's name: all that the pages of play keep.
//
// A game is `{game, name, opened, expires, seat, rules, players, recovery, invitations}`; what is not known is missing.

const GAMES = "ordws.play.games";
const LINK = "ordws.play.link";
const NAME = "ordws.play.name";
const PLAY_LINK = /ordws_play_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/;

/** Return the games of this browser whose day is not over, the newest first; the others go. */
export function listGames() {
  const kept = read(), lasting = kept.filter(({ expires }) => !isPast(expires));
  if (lasting.length < kept.length) write(lasting);
  return lasting;
}

/** Return the game with that id, or null; one whose day is over is still found until the list has been shown. */
export function findGame(id) {
  return read().find(({ game }) => game === id) ?? null;
}

/** Keep what is known of a game, and return all that is known of it now. */
export function saveGame(known) {
  const games = read(), before = games.find(({ game }) => game === known.game) ?? { opened: Date.now() };
  const saved = { ...before, ...known };
  write([saved, ...games.filter(({ game }) => game !== known.game)].sort((a, b) => b.opened - a.opened));
  return saved;
}

/** Return what the list keeps of a standing. */
export function knownOf({ game, expires, rules, you, seats }) {
  const others = seats.filter(({ taken, player }, i) => taken !== false && i !== you && player);
  const players = others.map(({ player }) => player);
  return { game, expires, rules, seat: you, name: seats[you].player, players };
}

export function forgetGame(id) {
  write(read().filter(({ game }) => game !== id));
}

export function isPast(moment) {
  return Date.parse(moment) < Date.now();
}

/** Return the play link's token in a text, or null: the token alone, or a whole address. */
export function readPlayLink(text) {
  return PLAY_LINK.exec(text)?.[0] ?? null;
}

/** Return the token of the play link that this browser keeps, or null. */
export function getPlayLink() {
  return localStorage.getItem(LINK);
}

/** Keep the token of a play link, or none. */
export function setPlayLink(token) {
  if (token) localStorage.setItem(LINK, token);
  else localStorage.removeItem(LINK);
}

export function getName() {
  return localStorage.getItem(NAME) ?? "";
}

export function setName(name) {
  localStorage.setItem(NAME, name);
}

function read() {
  try {
    const games = JSON.parse(localStorage.getItem(GAMES) ?? "[]");
    return Array.isArray(games) ? games.filter((each) => typeof each?.game === "string") : [];
  } catch {
    return [];
  }
}

function write(games) {
  localStorage.setItem(GAMES, JSON.stringify(games));
}
