// Says at once if the page was opened at another address than the console's, from which the server takes no vote.

const { content: origin } = document.querySelector("meta[name=origin]");

if (location.origin !== origin) {
  const notice = document.createElement("p");
  const link = document.createElement("a");
  link.href = `${origin}/`;
  link.textContent = origin;
  notice.className = "notice warning";
  notice.setAttribute("role", "alert");
  notice.append("This console works only at ", link, ": open it there. At this address nothing that you send is accepted.");
  document.querySelector("main").prepend(notice);
}
