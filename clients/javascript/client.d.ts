// The types of client.js. tests/client/test_javascript_package.py compares the names with those of the module.

/** A client of an ORDWS service; `baseUrl` may be left out in a page of the service itself. */
export function createClient(options?: ClientOptions): Client;

export interface ClientOptions {
  /** The address of the service, with a path if it is below one: `https://club.example/words`. */
  baseUrl?: string;
  /** The client key; without one, only public requests are answered, and those of a seat that was taken here. */
  key?: string;
  fetch?: typeof fetch;
  /** Where seats are kept outside a browser, which keeps them as cookies: by default in memory. */
  storage?: { getItem(name: string): string | null | undefined; setItem(name: string, value: string): unknown };
  /** The time of one attempt, with its whole answer [10]. */
  timeoutSeconds?: number;
  /** The time of a request with all its repeats; 0 means one attempt [20]. */
  patienceSeconds?: number;
  /** The times of watched games, in milliseconds. */
  times?: Partial<WatchTimes>;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep?(ms: number, signal?: AbortSignal): Promise<unknown>;
  /** The present time in milliseconds, from any beginning. */
  now?(): number;
  /** A random number from 0 to 1. */
  random?(): number;
}

export interface WatchTimes {
  /** The pause of polling after a change [1000], the longest without one [5000], and that of a hidden page [15000]. */
  firstPoll: number;
  lastPoll: number;
  hiddenPoll: number;
  /** The pause before a stream is opened again: the first [500] and the longest [30000]. */
  firstReconnect: number;
  lastReconnect: number;
  /** The time within which a stream has to begin [5000], and after which a silent one is given up [20000]. */
  connect: number;
  silence: number;
}

export interface Sending {
  signal?: AbortSignal;
}

export interface Keyed extends Sending {
  /** A key of your own, under which the request is answered once within a day; 1 to 255 printable ASCII characters. */
  idempotencyKey?: string;
}

export interface RequestOptions extends Keyed {
  headers?: Record<string, string>;
  accept?: "application/json" | "text/plain";
  /** True where the request, sent twice, would count or create something twice: it gets an idempotency key. */
  isKeyed?: boolean;
  /** False where the service takes no idempotency key for it, so that it is not repeated after a lost answer. */
  takesKey?: boolean;
  timeoutSeconds?: number;
  patienceSeconds?: number;
}

export interface OfSeat extends Sending {
  /** The token of the seat; without it, the seat that was taken in this browser or program. */
  seatToken?: string;
}

export type Options = NonNullable<JudgeWords["options"]>;
/** A move, whose `seat`, `nonce` and `held` the client adds. */
export type Move = Omit<TakeTurn, "seat" | "nonce" | "held">;
export type GuestGame = OpenGuestGame;
export type HomeLookUps = Omit<CheckAtHome, "word">;
export type Invitation = SeatOffer;
export type Promised = PromiseWording;

export interface Asking extends Keyed {
  rules?: string;
  options?: Options;
  /** Your own name for a game, which opens its budget. */
  game?: string;
  /** The player who asks; needed with the key of an operator. */
  player?: string;
}

export interface Client {
  readonly baseUrl: string;
  judge(words: string | readonly string[], asking?: Asking): Promise<Verdict>;
  play(position: string, move: string, asking?: Asking & { rack?: string }): Promise<JudgedPlay>;
  score(
    position: string, move: string, options?: Sending & { rules?: string; options?: Options; rack?: string },
  ): Promise<Scored>;
  ospd(
    words: string | readonly string[], options?: Keyed & { rules?: string; score?: number; player?: string },
  ): Promise<Found>;
  home(word: string, lookUps?: Sending & HomeLookUps): Promise<HomeRuling>;
  quota(of?: Sending & { game?: string; player?: string }): Promise<Record<string, Budget>>;
  rules(options?: Sending): Promise<RuleSetEntry[]>;
  ruleSet(id: string, options?: Sending): Promise<RuleSet>;
  twoLetterWords(rules?: string, options?: Sending): Promise<string[]>;
  disallowedWords(rules?: string, options?: Sending): Promise<string[]>;
  openGame(
    players: readonly (string | null)[],
    options?: Keyed & { rules?: string; options?: Options; clock?: number; invitations?: boolean },
  ): Promise<OpenedGame>;
  playLink(link: string, options?: Sending): Promise<ShownPlayLink>;
  openGuestGame(game: GuestGame, options?: Sending): Promise<OpenedGuestGame>;
  practice(options?: Sending): Promise<OfferedPractice>;
  reviewRecord(record: string, options?: Sending): Promise<Review>;
  openPractice(game?: OpenPractice, options?: Sending): Promise<OpenedPractice>;
  invitation(game: string, invitation: string, options?: Sending): Promise<Invitation>;
  takeSeat(
    game: string, by: { invitation: string; name: string; again?: boolean } | { recovery: string }, options?: Sending,
  ): Promise<TakenSeat>;
  takeOath(game: string, options?: OfSeat & { version?: number }): Promise<Standing>;
  attest(game: string, options?: OfSeat & { version?: number }): Promise<Standing>;
  rematch(game: string, options?: OfSeat): Promise<OpenedGuestGame>;
  game(id: string, options?: { seatToken?: string }): Game;
  request(method: string, path: string, body?: object, options?: RequestOptions): Promise<any>;
}

/** A game as one seat plays it. */
export interface Game {
  readonly id: string;
  standing(options?: RequestOptions): Promise<Standing>;
  turns(options?: RequestOptions): Promise<Turns>;
  record(options?: RequestOptions): Promise<string>;
  turn(move: Move, options?: RequestOptions): Promise<Turn>;
  takeOath(options?: RequestOptions & { version?: number }): Promise<Standing>;
  attest(options?: RequestOptions & { version?: number }): Promise<Standing>;
  callOff(options?: RequestOptions): Promise<Standing>;
  review(options?: RequestOptions): Promise<Review>;
  rematch(options?: RequestOptions): Promise<OpenedGuestGame>;
  /**
   * Calls `onStanding` with the standing now and once for each newer one, whichever request brought it. Resolves to
   * "aborted" when the signal aborts, and to "replaced" when a newer stream of the seat was opened; rejects with the
   * OrdwsProblem that ends it, such as `seat-moved`.
   */
  watch(onStanding: (standing: Standing) => void, options?: Watching): Promise<"aborted" | "replaced">;
  /** The newest standing, now and after each change; a loop that is left ends the stream. */
  standings(options?: Watching): AsyncGenerator<Standing, void, void>;
  /** The standing as soon as this seat is to act, or the game is over. */
  wait(options?: Watching): Promise<Standing>;
}

export interface Watching extends Sending {
  onConnection?: (connection: "live" | "polling" | "offline") => void;
  /** The seats that are connected, and for how long, in ms, others have not been any more. */
  onPresence?: (presence: { here: number[]; away_ms: Record<string, number> }) => void;
}

/** The service's reason not to answer (RFC 9457). */
export class OrdwsProblem extends Error {
  /** From a published list; branch on it. */
  readonly code: string;
  readonly status: number;
  readonly title: string;
  /** For people: it names what was wrong and what is expected, and never repeats what was sent. */
  readonly detail: string;
  /** The name of the request in the service's log. */
  readonly instance: string;
  /** The budget that does not hold the question, with `budget-spent`. */
  readonly budget: string | null;
  /** The seconds after which another attempt may succeed. */
  readonly retryAfter: number | null;
  readonly details: Record<string, unknown>;
  readonly attempts: number;
}

/** No answer of the service came. */
export class Unreachable extends Error {
  /** False if the request cannot have reached the service, and true if nobody knows. */
  readonly wasSent: boolean;
  readonly status: number;
  readonly retryAfter: number | null;
  readonly attempts: number;
}

/** An answer came that is not of the service, but of a proxy, say. */
export class UnexpectedReply extends Unreachable {
  readonly contentType: string;
}

/** A newer stream of the same seat has replaced the one that was read, which does not come back. */
export class StreamReplaced extends Error {}

// Generated by `make generate`; do not edit. What follows are the requests and replies of the service.

/** A word of a game at home, and the player's findings in their own dictionary. */
export interface CheckAtHome {
  /** 2 to 21 letters, A to Z in either case, accents allowed */
  word: string;
  /** The base that is in the dictionary. */
  base_in_dictionary?: string | null;
  /** Whether the word itself is there; assumed false where a base is named. */
  word_in_dictionary?: boolean | null;
  /** Under dover, with the electronic edition: whether the base has a main entry of its own. */
  base_has_main_entry?: boolean | null;
  /** Whether the dictionary labels the base, or the word that it has, offensive or vulgar in every sense; asked where `offensive=disallowed`, as under dover. */
  labelled_offensive?: boolean | null;
  /** Other words that were looked up and are not there. */
  not_in_dictionary?: readonly string[];
  /** The rule set, which decides the two-letter words. */
  rules?: string;
  options?: Record<string, string | number | boolean | readonly string[] | Record<string, number> | null> | null;
  /** The form of the dictionary. */
  edition?: "print" | "electronic";
  /** Without a dictionary: all words of the OSPD, except for short lists. */
  by_exclusion?: boolean;
  /** Where the service has its own players' reference, and an operator's key asks. */
  player?: string | null;
}

/** A question of words, which get one verdict together. */
export interface JudgeWords {
  game?: string | null;
  player?: string | null;
  words: readonly string[];
  /** The rule set, which decides the two-letter words. */
  rules?: string;
  options?: Record<string, string | number | boolean | readonly string[] | Record<string, number> | null> | null;
}

/** A game to play with friends, opened by a play link and without a key. */
export interface OpenGuestGame {
  /** `ordws_play_...`, from the play link. */
  link: string;
  /** A player's pseudonym; required for operator keys. */
  name: string;
  /** The number of players. */
  seats?: number;
  /** Whether the player who opens the game moves first, last, or as chance has it. */
  first?: "me" | "other" | "chance";
  /** The rule set, which decides the two-letter words. */
  rules?: string;
  options?: Record<string, string | number | boolean | readonly string[] | Record<string, number> | null> | null;
  clock?: number | null;
}

/** A game against the program. Everything has a default. */
export interface OpenPractice {
  /** How well the program plays. */
  strength?: "easy" | "club" | "strong";
  /** A player's pseudonym; required for operator keys. */
  name?: string;
  /** Who moves first. */
  first?: "me" | "other" | "chance";
  /** The rule set, which decides the two-letter words. */
  rules?: string;
  options?: Record<string, string | number | boolean | readonly string[] | Record<string, number> | null> | null;
}

/** A move for a turn of a sealed game. */
export interface TakeTurn {
  /** The `turn` of the game's standing. */
  turn: number;
  /** A play `8D STAiNER`, an exchange `-ABC`, a pass `-`, `challenge`, `check-ospd` or `resign`. */
  move: string;
  swaps?: readonly string[];
  words?: readonly string[] | null;
  word?: string | null;
  nonce?: string | null;
  /** The ms for which the position was there before this move was sent. */
  held?: number;
  /** The seat token; left out with a seat's cookie. */
  seat?: string;
}

/** The rest of a budget, in units, and the time when it is full again. */
export interface Budget {
  /** Units a day: `units` in all, `outside` games. Units in a game: `game`; plays in it: `plays`. A day: `core` words and `games`; for an operator, `operator` units of all players and new `players`. Words checked in the service's own players' reference: `reference`; of all players: `operator-reference`. The limits of units and core words fall to a quarter while a detector of mining is in alarm. */
  budget: "core" | "units" | "outside" | "games" | "reference" | "game" | "plays" | "operator" | "operator-reference" | "players" | "world" | "guests" | "visitors" | "address";
  limit: number;
  left: number;
  resets: string;
}

/** The result of a check: whether all words are in the players' reference, and the points that are deducted. The points are given only where a rule set, or the score of the play, was sent. */
export interface Found {
  found: boolean;
  deduct?: number;
}

/** The ruling on a word at home, with its rule and reason; or what to look up before it can be ruled on. */
export interface HomeRuling {
  word: string;
  /** Null where something has to be looked up first. */
  acceptable: boolean | null;
  base: string | null;
  /** From the base to the word. */
  steps: string[];
  affix: string;
  /** The id of the rule. */
  rule: string | null;
  /** Where the rule book says so. */
  source: string;
  /** The reason, or the question to be asked next. */
  because: string;
  /** What becomes of a play that is not acceptable. */
  follows: "turn-lost" | "another-play" | null;
  /** The words to look up, the likeliest first. */
  ask: string[];
  /** What to find out: whether the words are in the dictionary, have main entries of their own, or are labelled offensive or vulgar in every sense. */
  about: "dictionary" | "main-entry" | "label" | "reference" | null;
  /** The list that answers for the OSPD: the open players' list, or that of the service. */
  reference: string;
}

/** A letter of a new word: its face value, its value after the small word cap, its premium, and its points. A lower case letter is a blank. */
export interface LetterLine {
  letter: string;
  square: string;
  new: boolean;
  face: number;
  value: number;
  premium: number;
  points: number;
}

/** A new word: its letters, the word premiums newly covered, the factor they make together, and its score. */
export interface WordLine {
  word: string;
  letters: LetterLine[];
  premiums: number[];
  factor: number;
  score: number;
}

/** The bonus of a play, its number of tiles, and for a stretch the run of tiles that was stretched. */
export interface BonusLine {
  points: number;
  reason: "none" | "big-play" | "stretch";
  tiles: number;
  stretched: string;
}

/** Every point of a play: the score is the sum of the lines and the bonus. */
export interface Receipt {
  lines: WordLine[];
  bonus: BonusLine;
  score: number;
}

/** The verdict on all words of a play together, and its score if they are acceptable. */
export interface JudgedPlay {
  valid: boolean;
  score: number;
  words: string[];
  receipt: Receipt;
}

/** The answer to whether the program plays here, and how many more games it can play now. */
export interface OfferedPractice {
  /** False where the program does not run. */
  program: boolean;
  games_left: number;
}

/** A seat, the token that gives access to it, and the invitation for its player, if there are invitations. */
export interface SeatGiven {
  player: string | null;
  token: string;
  /** For the link `/play/{game}#seat=...`, which gives a browser the seat. */
  invitation?: string | null;
}

/** A new game. Its tokens are shown only once. */
export interface OpenedGame {
  game: string;
  rules: string;
  edition: string;
  expires: string;
  turn: number;
  seats: SeatGiven[];
}

/** The invitation to a seat, for the link `/play/{game}#seat=...`. */
export interface SeatToGive {
  seat: number;
  invitation: string;
}

/** A new game of guests. The calling browser has its seat by the cookie of the reply. */
export interface OpenedGuestGame {
  game: string;
  rules: string;
  edition: string;
  expires: string;
  seat: number;
  /** The code that takes the seat in another browser. */
  recovery: string;
  /** None for a rematch in a game of a client. */
  invitations: SeatToGive[];
  /** Null for a rematch in a game of a client. */
  games_left: number | null;
}

/** A new game against the program. The calling browser has its seat by the cookie of the reply. */
export interface OpenedPractice {
  game: string;
  rules: string;
  /** The end of the game if no move is made; each move puts it off. */
  expires: string;
  seat: number;
  /** The code that takes the seat in another browser. */
  recovery: string;
}

/** The words of a promise, and their version, which goes back with the promise. */
export interface PromiseWording {
  version: number;
  text: string;
}

/** A move that public words allow: its score, and its value with what it leaves. */
export interface RatedMove {
  move: string;
  score: number;
  value: number;
}

/** A turn of a game, by its number, the best moves in its place, and the points that it lost against the first. */
export interface ReviewedMove {
  turn: number;
  seat: number;
  move: string;
  score: number;
  lost: number;
  best: RatedMove[];
}

/** The review of a game: it waits for the program, or is done. Passes and rejected plays are left out. */
export interface Review {
  state: "waiting" | "done";
  turns: ReviewedMove[];
}

/** An option: its value, the values it may have, and its meaning. */
export interface OptionEntry {
  name: string;
  value: string;
  values: string;
  says: string;
}

/** A rule set with all its options. */
export interface RuleSet {
  id: string;
  title: string;
  options: OptionEntry[];
}

/** A rule set: its id and its title. */
export interface RuleSetEntry {
  id: string;
  title: string;
}

/** The score of a play and the words it forms, the main word first; nothing was looked up. */
export interface Scored {
  score: number;
  words: string[];
  receipt: Receipt;
}

/** The clock of a game: its kind, and the time of each player, or of each turn; 0: untimed. */
export interface ClockOffered {
  kind: string;
  milliseconds: number;
  overtime_minutes: number;
  overtime_points: number;
}

/** A seat as one who is invited to another sees it. */
export interface SeatInvited {
  player: string | null;
  taken: boolean;
}

/** The place of a game in an event, whether the event goes on without it, and whether the event is over. */
export interface EventPlace {
  /** The name of the event. */
  event: string;
  round: number;
  table: number;
  /** Which game of the two entrants in this round. */
  game: number;
  called_off: boolean;
  /** True once the game may be reviewed, as its event is over. */
  over: boolean;
}

/** The game and the seat that an invitation is for. Looking at it takes nothing. */
export interface SeatOffer {
  game: string;
  rules: string;
  /** The options that differ from the rule set's. */
  options: Record<string, string>;
  clock: ClockOffered;
  seat: number;
  taken: boolean;
  /** Whether its holder has sworn, so that nobody else can take it. */
  sworn: boolean;
  seats: SeatInvited[];
  /** Null where the game is not of an event. */
  event_table: EventPlace | null;
  expires: string;
}

/** The whole games that may still be opened by a play link today, and on a new day. */
export interface ShownPlayLink {
  /** Null for a link without a name: such links share the games of a day. */
  name: string | null;
  games_left: number;
  games_a_day: number;
  resets: string;
}

/** A word that the player may name in Dover's check of the OSPD, and the points that it costs if not found. */
export interface CheckableWord {
  word: string;
  price: number;
}

/** The clock of a game: what it does, and the time of each player, or of each turn, in ms; 0: untimed. */
export interface GameClock {
  kind: "none" | "overtime" | "total" | "turn";
  milliseconds: number;
  overtime_minutes: number;
  overtime_points: number;
  /** The time that the mover's turn has taken so far. */
  running_ms: number;
}

/** A player as one seat sees them: a hidden rack is null, and `left` is the reason why they left the game. */
export interface SeatStanding {
  player: string | null;
  score: number;
  tiles: number;
  rack: string | null;
  /** The time used, in whole seconds. */
  seconds: number;
  /** The same to the millisecond. */
  milliseconds: number;
  left: "time-up" | "resigned" | "overtime" | "challenge" | null;
  /** The turns taken; a play that can still be challenged is one. */
  turns: number;
  /** To two decimals; null before the first turn. */
  points_per_turn: number | null;
  /** The time of these turns, without a turn under way. */
  seconds_per_turn: number | null;
  /** Whether the seat is taken; null in games without invitations. */
  taken: boolean | null;
  /** Whether its player took the oath; null as well. */
  sworn: boolean | null;
  /** Whether its player attested after the game; null as well. */
  attested: boolean | null;
  /** The strength of the program in this seat; else null. */
  program: string | null;
}

/** The words on a board: their number, and their mean length in letters, 0 without a word. */
export interface BoardWords {
  words: number;
  mean_length: number;
}

/** A turn: the move as it was sent, its words and would-be score, and its outcome. Before the end other seats see the number of tiles of an exchange, and never a play that was taken back as unacceptable. */
export interface Happened {
  turn: number;
  seat: number;
  move: string;
  swaps: string[];
  outcome: "stands" | "rejected" | "unacceptable" | "laid" | "exchanged" | "passed" | "upheld" | "failed" | "found" | "not-found" | "resigned" | "time-up" | "proposed" | "seated" | "sworn" | "attested" | "rematch" | "called-off" | "event-over";
  words: string[];
  score: number;
  receipt: Receipt | null;
}

/** A proposal of the unplayed tiles round; no words where there was none, no points if not acceptable. */
export interface ViewedProposal {
  seat: number;
  words: string[];
  acceptable: boolean;
  points: number;
  receipt: Receipt | null;
}

/** The unplayed tiles round: the seats that have yet to propose a play with the other's tiles, and the time. */
export interface UnplayedRound {
  seats: number[];
  /** The time for a proposal. */
  milliseconds: number;
  /** The time that has passed. */
  running_ms: number;
  /** Empty until all are made. */
  proposals: ViewedProposal[];
}

/** The promises of every player: an oath before the first tile, and an attestation after the last. */
export interface Promises {
  oath: PromiseWording;
  /** Asked when the game is over. */
  attestation: PromiseWording;
}

/** The next game of the same players, and the invitation to the seat that this one has in it. */
export interface Rematch {
  game: string;
  invitation: string;
}

/** The standing of a game, as one seat may see it. */
export interface Standing {
  game: string;
  rules: string;
  /** The options that differ from the rule set's. */
  options: Record<string, string>;
  edition: string;
  expires: string;
  /** The number to send with the next move. */
  turn: number;
  /** The rows of the game so far, as the stream of its events counts them. */
  row: number;
  /** The server's time of this standing, in ms since 1970. */
  moment_ms: number;
  /** `waiting`: a seat is free, or its player has not sworn, and nobody sees a tile. `to-move`: a play, an exchange or a pass. `may-replay`: a play or a pass, after the check found the last play. `may-check`: the player whose play was rejected sends `check-ospd`, or `-` to go on without. `may-be-challenged`: an opponent sends `challenge`, or the next player moves, so that the play stands; `-` where it ends the game. `may-propose`: the game has ended, and a seat proposes a play with the other's tiles, or `-` for none. Any seat may resign before the end. */
  phase: "waiting" | "to-move" | "may-replay" | "may-check" | "may-be-challenged" | "may-propose" | "over";
  /** The seat that is to act and whose clock runs. */
  mover: number | null;
  /** What this seat may do now; `swap`: a blank on the board, before a move. */
  acts: ("play" | "exchange" | "pass" | "swap" | "challenge" | "check-ospd" | "propose" | "resign")[];
  /** Whether a player may call the game off: until a play is made. */
  may_call_off: boolean;
  /** The seat whose player called the game off; null if none did. */
  called_off: number | null;
  /** The points that a check of the OSPD in vain would cost. */
  check_price: number | null;
  /** The words left to name in Dover's check. */
  check_words: CheckableWord[];
  clock: GameClock;
  /** The time of this seat that was the network's and was not counted. */
  credit_ms: number;
  /** This seat, counted from 0; messages count players from 1. */
  you: number;
  /** CGP; the racks begin with the mover's, hidden ones are empty. */
  position: string;
  rack: string;
  seats: SeatStanding[];
  board: BoardWords;
  bag: number;
  /** The tiles of the pool that this seat does not see. */
  unseen: Record<string, number>;
  last: Happened | null;
  ending: "out" | "scoreless" | "idle" | "time" | "forfeit" | null;
  winners: number[];
  /** Null where there is none. */
  unplayed_round: UnplayedRound | null;
  /** Null in games without invitations. */
  promises: Promises | null;
  rematch: Rematch | null;
  /** Null where the game is not of an event. */
  event_table: EventPlace | null;
}

/** A seat that the calling browser has from now on, by a cookie. */
export interface TakenSeat {
  seat: number;
  /** The code that takes the seat in another browser, or in this one without its cookie. */
  recovery: string;
  standing: Standing;
}

/** The turn that a move took, and the standing of the game after it. */
export interface Turn {
  happened: Happened;
  standing: Standing;
}

/** The board, the racks and the bag before a turn; a seat sees all racks once the game is over. */
export interface PositionBefore {
  /** The rows as CGP has them. */
  board: string;
  racks: (string | null)[];
  bag: number;
}

/** A turn, the scores of all seats after it, and the position before it. */
export interface TurnEntry {
  happened: Happened;
  scores: number[];
  before: PositionBefore;
}

/** All turns of a game, as one seat may see them. */
export interface Turns {
  turns: TurnEntry[];
}

/** The verdict on a question: whether all its words together are acceptable. */
export interface Verdict {
  valid: boolean;
}
