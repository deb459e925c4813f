// The start of every page: it redirects to the judge in table mode, scrolls its own link into view, and registers the
// service worker, so that the pages open without a connection from then on.

if (localStorage.getItem("ordws.judge.table") !== null && location.pathname !== "/judge") location.replace("/judge");
document.querySelector(".site [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

if ("serviceWorker" in navigator && window.isSecureContext) {
  await navigator.serviceWorker.register("/sw.js");
}
