// The views of a page that keeps games: a list, the set-up of a game, and one game, each with an address of its own.

/** Return the document of all rule sets. */
export async function rulesDocument() {
  return (await fetch("/app/rules.json")).json();
}

/**
 * Show the view of the address now and whenever it changes; the listeners of the last view end.
 *
 * @param {{root: HTMLElement, published: object, list: Function, setup: Function, game: Function}} page the functions
 *   get `{root, published, shown, go}`, and `game` the id of a game too
 */
export async function startViews({ list, setup, game, ...given }) {
  const show = async () => {
    app.shown.abort();
    app.shown = new AbortController();
    document.body.classList.remove("at-table");
    const to = isAnchor() ? "" : location.hash.slice(1);
    if (!to) await list(app);
    else if (to === "new") await setup(app);
    else await game(app, to);
  };
  const app = {
    ...given, shown: new AbortController(),
    go: (to) => {
      if (location.hash.slice(1) === to) show();
      else location.hash = to;
    },
  };
  window.addEventListener("hashchange", () => isAnchor() || show());
  await show();
}

/** Call a function every so many milliseconds, until the signal ends it. */
export function every(ms, act, signal) {
  const timer = setInterval(act, ms);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** Return whether the address names an element of the page, as that of the link to skip to it does. */
export function isAnchor() {
  return document.getElementById(location.hash.slice(1)) !== null;
}
