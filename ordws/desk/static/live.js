// Keeping the page up to date: the desk is asked for the number of its newest fact, and where that has grown, the page is
// fetched again and its regions with [data-live] are replaced, but for those in which somebody has typed something.

const { live, pace } = document.body.dataset;
let version = Number(document.body.dataset.version ?? 0);
let isLost = false;
let timer = 0;
const sources = new Map([...document.querySelectorAll("[data-live]")].map((region) => [region.id, region.innerHTML]));

/** The number of the newest fact that this page shows. */
export function shownVersion() {
  return version;
}

/** Fetch the page again and replace the regions that have changed. */
export async function refresh() {
  const reply = await fetch(location.href, { headers: { Accept: "text/html" }, redirect: "manual" });
  if (!reply.ok) return;
  const next = new DOMParser().parseFromString(await reply.text(), "text/html");
  const newest = Number(next.body.dataset.version);
  // Two answers may overtake each other; the older one is dropped.
  if (newest < version) return;
  const focused = document.activeElement?.id;
  for (const region of next.querySelectorAll("[data-live]")) {
    const old = document.getElementById(region.id);
    if (old === null || sources.get(region.id) === region.innerHTML || isTypedIn(old)) continue;
    sources.set(region.id, region.innerHTML);
    old.replaceChildren(...region.childNodes);
  }
  takeToken(next);
  version = newest;
  document.body.dataset.version = `${newest}`;
  if (focused && !document.activeElement?.id) document.getElementById(focused)?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("refreshed"));
}

/** Take over the token of a session that was begun in another tab, so that forms of this page can be sent again. */
function takeToken(next) {
  const meta = document.querySelector("meta[name=csrf]");
  const token = next.querySelector("meta[name=csrf]")?.content;
  if (!meta || !token || meta.content === token) return;
  meta.content = token;
  for (const field of document.querySelectorAll("input[name=csrf]")) field.value = token;
}

function isTypedIn(region) {
  const fields = [...region.querySelectorAll("input:not([type=hidden]), select, textarea")];
  return fields.some((field) => (field.type === "checkbox" ? field.checked !== field.defaultChecked : field.matches("select") ? field.selectedIndex > 0 : field.value !== field.defaultValue));
}

async function look() {
  try {
    const reply = await fetch(live, { headers: { Accept: "application/json" } });
    if (reply.ok) {
      const newest = await reply.json();
      const token = document.querySelector("meta[name=csrf]")?.content ?? newest.session;
      // Another session was begun in another tab, and forms of this page need its token.
      if (newest.version > version || !token.startsWith(newest.session)) await refresh();
      showConnection(true);
    }
  } catch {
    showConnection(false);
  }
  timer = setTimeout(look, Number(pace));
}

/** Show that the desk does not answer, and that it does again. */
export function showConnection(isThere) {
  if (isThere !== isLost) return;
  isLost = !isThere;
  const note = document.querySelector("#connection");
  if (note) note.hidden = isThere;
}

if (live) {
  timer = setTimeout(look, Number(pace));
  // A phone that was asleep looks at once.
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (!document.hidden) look();
  });
}
