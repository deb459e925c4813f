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

export type Options = Record<string, string | number | boolean | readonly string[]>;

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
  judge(words: string | readonly string[], asking?: Asking): Promise<{ valid: boolean }>;
  play(position: string, move: string, asking?: Asking & { rack?: string }): Promise<Scored & { valid: boolean }>;
  score(
    position: string, move: string, options?: Sending & { rules?: string; options?: Options; rack?: string },
  ): Promise<Scored>;
  ospd(
    words: string | readonly string[], options?: Keyed & { rules?: string; score?: number; player?: string },
  ): Promise<{ found: boolean; deduct?: number | null }>;
  home(word: string, lookUps?: Sending & HomeLookUps): Promise<HomeRuling>;
  quota(of?: Sending & { game?: string; player?: string }): Promise<Record<string, Budget>>;
  rules(options?: Sending): Promise<{ id: string; title: string }[]>;
  ruleSet(id: string, options?: Sending): Promise<RuleSet>;
  twoLetterWords(rules?: string, options?: Sending): Promise<string[]>;
  disallowedWords(rules?: string, options?: Sending): Promise<string[]>;
  openGame(
    players: readonly (string | null)[],
    options?: Keyed & { rules?: string; options?: Options; clock?: number; invitations?: boolean },
  ): Promise<OpenedGame>;
  guestGames(options?: Sending): Promise<{ games_left: number; games_a_day: number; resets: string }>;
  openGuestGame(game: GuestGame, options?: Sending): Promise<OpenedGuestGame>;
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
  turns(options?: RequestOptions): Promise<{ turns: { happened: Happened; scores: number[] }[] }>;
  record(options?: RequestOptions): Promise<string>;
  turn(move: Move, options?: RequestOptions): Promise<{ happened: Happened; standing: Standing }>;
  takeOath(options?: RequestOptions & { version?: number }): Promise<Standing>;
  attest(options?: RequestOptions & { version?: number }): Promise<Standing>;
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
}

export interface Move {
  turn: number;
  /** `"8D STAiNER"`, `"-AEI"` for an exchange, `"-"` to pass, `"challenge"`, `"check-ospd"` or `"resign"`. */
  move: string;
  /** Blanks to take before the move: `["=H8"]`. */
  swaps?: readonly string[];
  /** The words that are challenged; all new words where it is left out. */
  words?: readonly string[];
  /** The word to check in Dover's form. */
  word?: string;
}

export interface GuestGame {
  link: string;
  rules: string;
  options?: Options;
  clock?: number;
  seats: 2 | 3 | 4;
  name: string;
  first?: "me" | "other" | "chance";
}

export interface OpenedGame {
  game: string;
  rules: string;
  edition: string;
  expires: string;
  turn: number;
  seats: { player: string | null; token: string; invitation?: string }[];
}

export interface OpenedGuestGame {
  game: string;
  rules: string;
  edition: string;
  expires: string;
  seat: number;
  recovery: string;
  invitations: { seat: number; invitation: string }[];
  games_left: number;
}

export interface Invitation {
  game: string;
  rules: string;
  options: Record<string, string>;
  clock: GameClock;
  seat: number;
  taken: boolean;
  sworn: boolean;
  seats: { player: string | null; taken: boolean }[];
  expires: string;
}

export interface TakenSeat {
  seat: number;
  recovery?: string;
  standing: Standing;
}

export interface GameClock {
  kind: "none" | "overtime" | "total" | "turn";
  milliseconds: number;
  overtime_minutes: number;
  overtime_points: number;
  running_ms?: number;
}

export interface Standing {
  game: string;
  rules: string;
  options: Record<string, string>;
  edition: string;
  expires: string;
  turn: number;
  row: number;
  moment_ms: number;
  phase: "waiting" | "to-move" | "may-replay" | "may-check" | "may-be-challenged" | "over";
  mover: number | null;
  acts: ("play" | "exchange" | "pass" | "swap" | "challenge" | "check-ospd" | "resign")[];
  check_price: number | null;
  check_words: { word: string; price: number }[];
  clock: GameClock;
  credit_ms: number;
  you: number;
  position: string;
  rack: string;
  seats: SeatStanding[];
  board: { words: number; mean_length: number };
  bag: number;
  unseen: Record<string, number>;
  last: Happened | null;
  ending: string | null;
  winners: number[];
  promises: { oath: Promised; attestation: Promised } | null;
  rematch: { game: string; invitation: string } | null;
  event_table: EventPlace | null;
}

/** The place of a game in an event, and whether it was called off because it did not begin in time. */
export interface EventPlace {
  event: string;
  round: number;
  table: number;
  game: number;
  called_off: boolean;
}

export interface Promised {
  version: number;
  text: string;
}

export interface SeatStanding {
  player: string | null;
  score: number;
  tiles: number;
  rack: string | null;
  seconds: number;
  milliseconds: number;
  left: string | null;
  turns: number;
  points_per_turn: number | null;
  seconds_per_turn: number | null;
  taken: boolean | null;
  sworn: boolean | null;
  attested: boolean | null;
}

export interface Happened {
  turn: number;
  seat: number;
  move: string;
  swaps: string[];
  outcome: string;
  words: string[];
  score: number;
  receipt: Receipt | null;
}

export interface Scored {
  score: number;
  words: string[];
  receipt: Receipt;
}

export interface Receipt {
  lines: {
    word: string;
    letters: {
      letter: string; square: string; new: boolean; face: number; value: number; premium: number; points: number;
    }[];
    premiums: number[];
    factor: number;
    score: number;
  }[];
  bonus: { points: number; reason: string; tiles: number; stretched: string };
  score: number;
}

export interface HomeLookUps {
  base_in_dictionary?: string;
  word_in_dictionary?: boolean;
  base_has_main_entry?: boolean;
  not_in_dictionary?: readonly string[];
  rules?: string;
  edition?: string;
  by_exclusion?: boolean;
  options?: Options;
  labelled_offensive?: boolean;
  player?: string;
}

export interface HomeRuling {
  word: string;
  acceptable: boolean | null;
  because: string;
  base?: string | null;
  steps?: string[];
  affix?: string;
  rule?: string | null;
  source?: string;
  follows?: string | null;
  ask?: string[];
  about?: string | null;
  reference?: string;
}

export interface Budget {
  budget: string;
  limit: number;
  left: number;
  resets: string;
}

export interface RuleSet {
  id: string;
  title: string;
  options: { name: string; value: string; values: string; says: string }[];
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
