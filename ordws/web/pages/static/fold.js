/** The normal form of a word: ordws/fold.py for the browser, 2 to 21 letters A to Z in capitals. Pure. */

export const SHORTEST = 2;
export const LONGEST = 21;
const LONGEST_TYPED = 4 * LONGEST;

// Letters that Unicode does not decompose.
const UNDECOMPOSED = {
  æ: "ae", œ: "oe", ø: "o", ß: "ss", ð: "d", þ: "th", ł: "l", đ: "d", ı: "i", ħ: "h", ŋ: "n", Æ: "AE", Œ: "OE",
  Ø: "O", ẞ: "SS", Ð: "D", Þ: "TH", Ł: "L", Đ: "D", Ħ: "H", Ŋ: "N",
};
const WORD = new RegExp(`^[A-Z]{${SHORTEST},${LONGEST}}$`);

/** Return the word that a text stands for; null where it has anything but letters A to Z and their accents. */
export function fold(text) {
  if ([...text].length > LONGEST_TYPED) return null;
  const folded = /^[\0-\x7f]*$/.test(text) ? text.toUpperCase() : decompose(text).toUpperCase();
  return WORD.test(folded) ? folded : null;
}

function decompose(text) {
  return text.replace(/[^\0-\x7f]/g, (c) => UNDECOMPOSED[c] ?? c).normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
}
