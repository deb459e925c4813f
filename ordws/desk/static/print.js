// Buttons that print the page: a page may not run scripts of its own text.

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
