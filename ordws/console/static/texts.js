// All texts that the queue's page shows or announces: a translation replaces this file and nothing else.

const many = (n, singular, plural) => `${n.toLocaleString("en")} ${n === 1 ? singular : plural}`;

export const texts = {
  question: "Does this belong in an ordinary college dictionary? Not: do you like it, use it, or would you play it.",

  // The actions, in the order in which the help and the settings list them.
  actions: {
    in: "In",
    out: "Out",
    doubt: "Doubtful",
    skip: "Skip",
    undo: "Undo",
    note: "Note",
    forms: "Some forms",
    recuse: "Recuse",
    hold: "Hold class",
    help: "Help",
  },
  more: "More",
  keys: "Keys",
  answers: "Answer",
  others: "Other actions",
  meanings: {
    in: "the family is in",
    out: "the family is out",
    doubt: "no vote either way; asks for a reason",
    skip: "give the card back without a vote",
    undo: "take back your last vote, as many times as you like, on the day of the vote",
    note: "add a note to your vote",
    forms: "vote on some of the forms only",
    recuse: "you have an interest in this family and will not vote on it",
    hold: "object to deciding a whole class by its rule",
    help: "this page",
  },

  // The card.
  standing: {
    borderline: "Borderline: too few sources have it to be in without a vote",
    flagged: "Flagged: enough sources have it, with labels that call for a vote",
  },
  round: (n) => `Another vote: round ${n}. The family was decided before, and a keeper has opened it again.`,
  second: "Another vote, after the discussion",
  toDiscussion: "Read the discussion",
  notAtStake: (head) => `${head} itself is not at stake, only these forms of it.`,
  forms: "Forms",
  formsHint: "In says that the ticked forms are in and the others out. Out says that the ticked forms are out, and nothing of the others.",
  formsNone: "Tick one form or more, or choose Some forms again to vote on the whole family.",
  formsOpen: "Tick the forms that your vote is on, by 1 to 9 too",
  formsOne: "This family has one form: a vote is on it.",
  formsShut: "The vote is on the whole family",
  yourNote: "Your note:",

  // The evidence, in its fixed order.
  evidence: "Evidence",
  rows: {
    sources: "Sources",
    derivation: "Derivation",
    band: "SCOWL band",
    frequency: "Frequency",
    related: "Settled forms",
    comparable: "Comparable rulings",
  },
  noSource: "No source has it",
  provenance: {
    headword: "main entry",
    "run-on": "run-on entry",
    stated: "stated in the entry",
    table: "from a table of inflections",
    attested: "regular and attested",
    rule: "regular, by rule",
    listed: "in its word lists",
  },
  made: (pattern, base) => `${pattern}, from ${base}`,
  settled: "settled",
  atStake: "at stake too",
  band: (n) => `${n} of 95`,
  zipf: (zipf) => zipf === 0 ? "not found in the texts that were counted" : `Zipf ${zipf.toFixed(1)}, about ${perMillion(zipf)} in a million words`,
  unmeasured: "not measured",
  noBand: "not in SCOWL",
  none: "none",
  comparable: (n, m) => `${n} in, ${m} out`,
  outcome: { in: "in", out: "out", contested: "contested" },

  // The result of an action, and the next card.
  did: {
    in: (head) => `${head}: in`,
    out: (head) => `${head}: out`,
    doubt: (head) => `${head}: doubtful`,
    skip: (head) => `${head}: skipped`,
    recuse: (head) => `${head}: recused`,
    hold: (head, name) => `Class ${name} held`,
    undo: (head) => `${head}: vote taken back`,
  },
  someForms: (did, n) => `${did}, ${many(n, "form", "forms")} only`,
  family: (words) => `With ${words.join(", ")}.`,
  next: "Next:",
  nothingToUndo: "Nothing to undo here. Your earlier votes are under My votes.",
  notUndone: (head) => `The vote on ${head} stands: it is of an earlier day, or the family is contested. It can be re-opened with a reason.`,
  noClass: "No proposed class covers this family.",
  noCard: "No card to act on.",
  notCounted: (head, detail) => `Your answer on ${head} was not accepted: ${detail}`,
  passedOn: "Your time for that card ran out; here is another.",
  noteKept: "Note kept for your vote",

  // The line at the top.
  progress: ({ today, sentence }) => [`${today.toLocaleString("en")} today`, sentence].filter(Boolean).join(", "),
  standings: ({ mine, decided, families }) =>
    [many(mine, "vote", "votes") + " by you", decided > 0 && `${decided.toLocaleString("en")} of ${many(families, "family", "families")} decided before today`]
      .filter(Boolean)
      .join(", "),
  standingsHint: "The panel's count is that of midnight, UTC, so that no vote can be told from it. What is decided today is added tomorrow.",
  revotes: (n) => `${n === 1 ? "One family is" : `${n.toLocaleString("en")} families are`} up for another vote. Look for “Another vote” on the card.`,
  sent: {
    saved: "Saved",
    sending: "Saving…",
    offline: (n) => (n ? `Offline, ${many(n, "vote", "votes")} waiting` : "Offline"),
    signedOut: (n) => (n ? `Signed out, ${many(n, "vote", "votes")} waiting` : "Signed out"),
  },
  pause: "25 minutes: a good moment for a break. Everything is saved.",
  goOn: "Go on",

  // The page without a card.
  loading: "Fetching the next card…",
  waiting: "The next card comes when the connection is back. What you did is kept on this page until then.",
  empty: "Nothing left for you now",
  emptyAll: (families) => `All ${many(families, "family is", "families are")} decided.`,
  emptyWhy: (open) =>
    `At midnight, UTC, ${many(open, "family was", "families were")} not decided yet. Each of them has your vote already, is one from which you recused yourself, ` +
    "is with another curator at this moment or waits for a discussion.",
  emptyThen: "This page looks again every minute.",
  lookAgain: "Look now",

  // Dialogs.
  cancel: "Cancel",
  close: "Close",
  save: "Save",
  doubtTitle: (head) => `Why is ${head} doubtful?`,
  doubtHint: "Doubtful counts as no vote. Choose a reason, by its number too.",
  noteTitle: (head) => `A note on ${head}`,
  noteLabel: "It is saved with your vote; keepers read it once the family is decided, everybody if it is discussed.",
  recuseTitle: (head) => `Recuse yourself from ${head}?`,
  recuseLabel: "Reason (optional)",
  recuseHint: "You will not see this family again, and others decide it. This cannot be undone.",
  recuseDo: "Recuse",
  holdTitle: "Hold a class",
  holdClass: "Class",
  holdLabel: "What is wrong with deciding it by its rule?",
  holdHint: "A held class decides nothing until the chair or a keeper releases it. Your card stays here.",
  holdDo: "Hold",
  needed: "A reason is needed.",
  helpTitle: "Help",
  helpKeys: "Keys",
  helpEvidence: "Evidence",
  helpOrder:
    "The evidence stands in the same order on every card, from the sources themselves. Lists of players, the votes of " +
    "others, point values and guesses of programs are left out on purpose.",
  helpWords:
    "A main entry has a place of its own in the source, a run-on stands at the end of another's entry; other forms are " +
    "stated there, come from a table of inflections, or follow the rule and are met elsewhere. SCOWL sorts words by how " +
    "common they are: band 10 holds the commonest, 95 the rarest. Only its commoner bands count as a source, so a " +
    "card can say “No source has it” beside a band. Zipf counts how often a word is met in print and on line: 3 is " +
    "once in a million words, 6 a thousand times. Comparable rulings are those of last midnight.",
  helpBlind: "Nobody sees how you voted on a family; once it is decided, keepers see the numbers of votes in and out.",
  keysTitle: "Keys",
  keysOn: "Use single keys",
  keysHint: "One character each, kept in this browser for your account. Empty for none.",
  keysTwice: (key) => `“${key}” is used twice.`,
  keysDigit: "1 to 9 tick forms and choose reasons.",
  keysReset: "Reset to defaults",
  noKey: "no key",
  signInTitle: "You are signed out",
  signInWhy: (n) =>
    (n ? `${many(n, "vote waits", "votes wait")} on this page and will be sent when you are back. ` : "") +
    "Sign in on a new page, then come back to this one.",
  signInOther: (member) => `Another member is signed in now. Sign in as ${member}, whose votes are waiting here.`,
  signInDeclare: "Your yearly declaration is due. Make it on a new page, then come back to this one.",
  notBack: "Not yet: sign in on the new page first.",
  signIn: "Sign in",
  signedIn: "I have signed in",
};

function perMillion(zipf) {
  const times = 10 ** (zipf - 3);
  return times >= 10 ? Math.round(times).toLocaleString("en") : times.toPrecision(2);
}
