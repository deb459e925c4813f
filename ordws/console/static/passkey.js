// A button with data-ask fetches a challenge there, lets the browser answer it, and sends the answer to data-answer.

// WebAuthn's JSON has binary values as base64 for URLs; the browser's functions take and give buffers.
const fromBase64Url = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
const toBase64Url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const decodeIds = (credentials) => (credentials ?? []).map((each) => ({ ...each, id: fromBase64Url(each.id) }));

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const csrf = document.querySelector('meta[name="csrf"]');
  if (csrf) headers["X-CSRF-Token"] = csrf.content;
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

async function createPasskey(options) {
  const publicKey = {
    ...options,
    user: { ...options.user, id: fromBase64Url(options.user.id) },
    challenge: fromBase64Url(options.challenge),
    excludeCredentials: decodeIds(options.excludeCredentials),
  };
  const credential = await navigator.credentials.create({ publicKey });
  const { clientDataJSON, attestationObject } = credential.response;
  const response = { clientDataJSON: toBase64Url(clientDataJSON), attestationObject: toBase64Url(attestationObject) };
  return { id: credential.id, rawId: toBase64Url(credential.rawId), type: credential.type, response };
}

async function usePasskey(options) {
  const challenge = fromBase64Url(options.challenge);
  const publicKey = { ...options, challenge, allowCredentials: decodeIds(options.allowCredentials) };
  const credential = await navigator.credentials.get({ publicKey });
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  const response = {
    clientDataJSON: toBase64Url(clientDataJSON),
    authenticatorData: toBase64Url(authenticatorData),
    signature: toBase64Url(signature),
    userHandle: userHandle && toBase64Url(userHandle),
  };
  return { id: credential.id, rawId: toBase64Url(credential.rawId), type: credential.type, response };
}

function explainError(error) {
  switch (error.name) {
    case "InvalidStateError":
      return "This device has a passkey of yours already.";
    case "NotAllowedError":
      return "No passkey was used: it was cancelled, it took too long, or this device has none.";
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
    const options = await post(ask, { token });
    const body = label
      ? { token, label: document.getElementById(label).value, answer: await createPasskey(options) }
      : await usePasskey(options);
    const { to } = await post(answer, body);
    window.location.assign(to);
  } catch (error) {
    status.textContent = explainError(error);
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
    status.textContent = "This browser does not support passkeys: use a password and a code.";
  }
}
