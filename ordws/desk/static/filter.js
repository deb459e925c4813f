// A field that shows only the rows of a list whose text holds what is typed.

function filter(field) {
  const wanted = fold(field.value);
  for (const row of document.querySelectorAll(`${field.dataset.filter} [data-row]`)) row.hidden = !fold(row.dataset.row).includes(wanted);
}

function fold(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

for (const field of document.querySelectorAll("[data-filter]")) {
  field.addEventListener("input", () => filter(field));
  // A page that was replaced in part has to be filtered again.
  document.addEventListener("refreshed", () => filter(field));
}
