// What every page does: it works without a connection from now on, and shows where it stands among the others.

document.querySelector(".site [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

if ("serviceWorker" in navigator && window.isSecureContext) {
  await navigator.serviceWorker.register("/sw.js");
}
