// What makes the pages work without a connection.

if ("serviceWorker" in navigator && window.isSecureContext) {
  await navigator.serviceWorker.register("/sw.js");
}
