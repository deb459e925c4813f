// The front page: it has words judged at once, for a paired device by its cookie and otherwise by a key. A key stays in
// its field; the words leave the page with the answer.

import { fetchJson, getDevice } from "./api.js";
import { fold } from "./fold.js";

const MAX_WORDS = 8;
const SHOWN_MILLISECONDS = 15_000;
const PLAYER = "front page";
const form = document.querySelector("#ask");
const words = form.querySelector("#words");
const key = form.querySelector("#key");
const paired = getDevice();
// Without a connection nothing can be judged, and a request would complain in the console.
const visiting = navigator.onLine
  ? fetchJson("GET", "/v1/visitors").then(({ body }) => body?.is_open === true)
  : Promise.resolve(false);
let clearing = 0;

// Heard from the first moment on, for the browser would send the form itself.
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const device = await paired;
  const isVisitor = device === null && key.value.trim() === "" && (await visiting);
  const folded = words.value.trim().split(/\s+/).map(fold);
  if (folded.includes(null) || folded.length > MAX_WORDS) return show("not-words", words);
  if (isVisitor && folded.length > 1) return show("one-word", words);
  if (device === null && key.value.trim() === "" && !isVisitor) return show("no-key", key);
  form.querySelector("button").disabled = true;
  const answer = isVisitor ? describeToVisitor(await judgeForVisitor(folded[0])) : describe(await judge(folded, device));
  form.querySelector("button").disabled = false;
  if (["yes", "no"].includes(answer)) words.value = "";
  show(answer, answer === "bad-key" ? key : words);
});
words.addEventListener("input", () => show(null));
paired.then((device) => {
  form.querySelector("#paired").hidden = device === null;
  form.querySelector("#unpaired").hidden = device !== null;
  if (device === null) visiting.then(welcome);
  if (device !== null) form.querySelector("#paired b").textContent = `${device.table}, ${device.club}`;
});

/** Return the reply to a question; an operator's key has to name a player, which is this page. */
async function judge(asked, device) {
  const headers = device === null ? { Authorization: `Bearer ${key.value.trim()}` } : {};
  const reply = await fetchJson("POST", "/v1/judge", { words: asked }, headers);
  if (reply.body?.code !== "player-required") return reply;
  return fetchJson("POST", "/v1/judge", { words: asked, player: PLAYER }, headers);
}

/** Show that one word may be asked without a key; whoever has one finds its field behind a line. */
function welcome(isOpen) {
  form.querySelector("#unpaired").open = !isOpen;
  form.querySelector("#visitors-hint").hidden = !isOpen;
  form.querySelector("#words-hint").hidden = isOpen;
  form.querySelector("#words-many").hidden = isOpen;
  form.querySelector("#words-one").hidden = !isOpen;
}

function judgeForVisitor(word) {
  return fetchJson("POST", "/v1/visitors", { word });
}

/** Return which answer a visitor gets: of a day that is spent, at what time of theirs it begins anew. */
function describeToVisitor(reply) {
  if (reply.status !== 429) return describe(reply);
  const moment = new Date(Date.now() + 1000 * reply.wait);
  form.querySelector("#begins-anew").textContent = moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return "visitors-spent";
}

/** Return which of the page's answers a reply stands for. */
function describe({ status, body }) {
  switch (status) {
    case 200: return body.valid ? "yes" : "no";
    case 0: return "no-connection";
    case 401: return "bad-key";
    case 403: return "out-of-scope";
    case 429: return "spent";
    case 503: return "busy";
    default: return "mistake";
  }
}

/** Show one answer, or none, for a while, and move the focus to the field that it is about. */
function show(answer, field = null) {
  clearTimeout(clearing);
  for (const each of form.querySelectorAll("[data-answer]")) each.hidden = each.dataset.answer !== answer;
  field?.focus();
  if (answer !== null) clearing = setTimeout(() => show(null), SHOWN_MILLISECONDS);
}
