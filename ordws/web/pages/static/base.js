// The start of every page: it redirects to the judge in table mode, and registers the service worker, so that the pages
// open without a connection from then on.

if (localStorage.getItem("ordws.judge.table") !== null && location.pathname !== "/judge") location.replace("/judge");

if ("serviceWorker" in navigator && window.isSecureContext) {
  await navigator.serviceWorker.register("/sw.js");
}
