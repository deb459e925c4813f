// The words as they are typed: exactly so many, letters A to Z alone, whatever is beyond wiped.

const SHORTEST = 2;
const LONGEST = 21;

/** So many words, none typed yet. */
export function newEntry(count) {
  return { words: Array(count).fill(""), at: 0 };
}

/** Another letter of the word that is being typed. */
export function addLetter(typed, letter) {
  const word = typed.words[typed.at];
  if (word.length < LONGEST) typed.words[typed.at] = word + letter.toUpperCase();
}

/** Take a letter back, or go back to the word before. */
export function takeBack(typed) {
  const word = typed.words[typed.at];
  if (word) typed.words[typed.at] = word.slice(0, -1);
  else if (typed.at > 0) typed.at -= 1;
}

/** Go on to the next word; false where this one is none yet, or is the last. */
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

/** Whether all the words are there. */
export const isComplete = (typed) => typed.words.every(isWord);

/** Whether nothing is. */
export const isEmpty = (typed) => typed.words.every((word) => word === "");
