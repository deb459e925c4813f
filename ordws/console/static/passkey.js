// A button with data-ask fetches a challenge there, lets the browser answer it, and sends the answer to data-answer.

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const read = (credentials) => (credentials ?? []).map((each) => ({ ...each, id: bytes(each.id) }));

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const csrf = document.querySelector('meta[name="csrf"]');
  if (csrf) headers["X-CSRF-Token"] = csrf.content;
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

async function make(asked) {
  const user = { ...asked.user, id: bytes(asked.user.id) };
  const [challenge, excludeCredentials] = [bytes(asked.challenge), read(asked.excludeCredentials)];
  const publicKey = { ...asked, user, challenge, excludeCredentials };
  const made = await navigator.credentials.create({ publicKey });
  const { clientDataJSON, attestationObject } = made.response;
  const response = { clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) };
  return { id: made.id, rawId: text(made.rawId), type: made.type, response };
}

async function use(asked) {
  const publicKey = { ...asked, challenge: bytes(asked.challenge), allowCredentials: read(asked.allowCredentials) };
  const used = await navigator.credentials.get({ publicKey });
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response;
  const response = {
    clientDataJSON: text(clientDataJSON),
    authenticatorData: text(authenticatorData),
    signature: text(signature),
    userHandle: userHandle && text(userHandle),
  };
  return { id: used.id, rawId: text(used.rawId), type: used.type, response };
}

function say(error) {
  switch (error.name) {
    case "InvalidStateError":
      return "This device has a passkey of yours already.";
    case "NotAllowedError":
      return "No passkey was given: it was stopped, it took too long, or this device has none.";
    case "TypeError":
      return "The console does not answer.";
    default:
      return error.message;
  }
}

async function run(button, status) {
  const { ask, answer, token, label } = button.dataset;
  button.disabled = true;
  status.textContent = "";
  try {
    const asked = await post(ask, { token });
    const given = label
      ? { token, label: document.getElementById(label).value, answer: await make(asked) }
      : await use(asked);
    const { to } = await post(answer, given);
    window.location.assign(to);
  } catch (error) {
    status.textContent = say(error);
    button.disabled = false;
    button.focus();
  }
}

const status = document.getElementById("passkey-status");
for (const button of document.querySelectorAll("button[data-ask]")) {
  if (window.PublicKeyCredential) {
    button.addEventListener("click", () => run(button, status));
  } else {
    button.disabled = true;
    status.textContent = "This browser has no passkeys: use a password and a code.";
  }
}
