// Times of the log in the time of the place where they are read.

function localize() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    const clock = moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    if (time.textContent !== clock) time.textContent = clock;
    time.title = moment.toLocaleString();
  }
}

localize();
document.addEventListener("refreshed", localize);
