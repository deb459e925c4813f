// Shows the builder's progress while it runs; the page itself, loaded again, shows the outcome.

const POLL_MS = 2000;
const notice = document.querySelector("[data-sealing]");

async function fetchProgress() {
  const reply = await fetch("/api/sealing", { headers: { Accept: "application/json" } });
  if (!reply.ok) return location.reload();
  const job = await reply.json();
  if (job.state !== "running") return location.reload();
  notice.querySelector("[data-seconds]").textContent = `${job.seconds} s`;
  notice.querySelector("[data-line]").textContent = job.lines.at(-1) ?? "starting";
  return wait();
}

function wait() {
  setTimeout(() => fetchProgress().catch(wait), POLL_MS);
}

if (notice) wait();
