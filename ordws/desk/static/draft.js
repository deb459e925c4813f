// The draft: its reasons, and the cost of putting two players together, said while they are named.

// On a phone the reasons would hide the pairings, so that each is opened by hand.
function fold() {
  if (matchMedia("(max-width: 48rem)").matches) for (const each of document.querySelectorAll("details.whys")) each.open = false;
}
fold();
document.addEventListener("refreshed", fold);

const form = document.querySelector("#change");
const cost = document.querySelector("#cost");
let latest = 0;

form?.addEventListener("change", async () => {
  const { a, b } = form.elements;
  const asked = ++latest;
  if (!a.value || !b.value) return;
  const reply = await fetch(`${form.dataset.cost}?${new URLSearchParams({ a: a.value, b: b.value })}`, { headers: { Accept: "application/json" } });
  const body = await reply.json();
  if (asked === latest) cost.textContent = body.means ?? body.fault ?? "";
});
form?.addEventListener("done", () => (cost.textContent = ""));
