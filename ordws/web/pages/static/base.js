// What every page does: it gives way to the judge in table mode, works without a connection from now on, and shows where
// it stands among the others.

if (localStorage.getItem("ordws.judge.table") !== null && location.pathname !== "/judge") location.replace("/judge");
document.querySelector(".site [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

if ("serviceWorker" in navigator && window.isSecureContext) {
  await navigator.serviceWorker.register("/sw.js");
}
