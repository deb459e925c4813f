// The draft of a move on this device, so that a reload or a second window of the game never costs the tiles laid. It is
// kept for this window alone and for one game, and holds nothing that was judged.

const NAME = "ordws.play.draft";

export function saveDraft(game, slots) {
  sessionStorage.setItem(NAME, JSON.stringify({ game, slots }));
}

/** Return the slots that were kept for a game; otherwise the given ones. */
export function loadDraft(game, slots) {
  const kept = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
  return kept?.game === game ? kept.slots : slots;
}
