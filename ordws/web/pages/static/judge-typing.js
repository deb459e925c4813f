// The words as they are typed: a fixed number of words, letters A to Z alone, anything beyond dropped.

const SHORTEST = 2;
const LONGEST = 21;

/** Return this many words, none typed yet. */
export function newEntry(count) {
  return { words: Array(count).fill(""), at: 0 };
}

/** Add a letter to the word that is being typed. */
export function addLetter(typed, letter) {
  const word = typed.words[typed.at];
  if (word.length < LONGEST) typed.words[typed.at] = word + letter.toUpperCase();
}

/** Delete the last letter, or go back to the word before. */
export function takeBack(typed) {
  const word = typed.words[typed.at];
  if (word) typed.words[typed.at] = word.slice(0, -1);
  else if (typed.at > 0) typed.at -= 1;
}

/** Go to the next word; return false where this word is too short or the last. */
export function nextWord(typed) {
  if (!isWord(typed.words[typed.at]) || isLast(typed)) return false;
  typed.at += 1;
  return true;
}

/** Go to a word. */
export function move(typed, at) {
  typed.at = Math.max(0, Math.min(typed.words.length - 1, at));
}

export const isWord = (word) => word.length >= SHORTEST;
export const isLast = (typed) => typed.at === typed.words.length - 1;

/** Return whether all words are typed. */
export const isComplete = (typed) => typed.words.every(isWord);

/** Return whether nothing is typed. */
export const isEmpty = (typed) => typed.words.every((word) => word === "");
