/* Shows what the builder says while it runs; the page itself shows how it ended. */

const POLL_MS = 2000;
const live = document.querySelector("[data-sealing]");

async function fetchProgress() {
  const reply = await fetch("/api/sealing", { headers: { Accept: "application/json" } });
  if (!reply.ok) return location.reload();
  const work = await reply.json();
  if (work.state !== "running") return location.reload();
  live.querySelector("[data-seconds]").textContent = `${work.seconds} s`;
  live.querySelector("[data-line]").textContent = work.lines.at(-1) ?? "starting";
  return wait();
}

function wait() {
  setTimeout(() => fetchProgress().catch(wait), POLL_MS);
}

if (live) wait();
