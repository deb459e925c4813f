// The start of every page: it redirects to the judge or the station in table mode, and registers the service worker, so
// that the pages open without a connection from then on.

const TABLE_PAGES = ["/judge", "/station"];
const table = JSON.parse(localStorage.getItem("ordws.judge.table"));
if (table && !TABLE_PAGES.includes(location.pathname)) location.replace(table.page ?? "/judge");

if ("serviceWorker" in navigator && window.isSecureContext) {
  await navigator.serviceWorker.register("/sw.js");
}
