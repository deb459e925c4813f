// Says at once if the page was opened at another address than the console's, from which the server takes no vote.

import { h } from "./dom.js";

const { content: origin } = document.querySelector("meta[name=origin]");

if (location.origin !== origin) {
  const link = h("a", { href: `${origin}/` }, origin);
  const text = ["This console works only at ", link, ": open it there. At this address nothing that you send is accepted."];
  document.querySelector("main").prepend(h("p", { class: "notice warning", role: "alert" }, text));
}
