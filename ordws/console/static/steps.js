// The arrow keys press the buttons of a game that is stepped through.

const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (!(event.key in KEYS) || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector(`[data-step=${KEYS[event.key]}]`).click();
});
