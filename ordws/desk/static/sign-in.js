// Signing in by a link: the secret is after the #, so that it stands in no log; it is taken off the address at once.

const form = document.querySelector("#sign-in");
const field = form?.querySelector("[name=key], [name=code]");
const [, secret] = /^#(?:key|code)=(.+)$/.exec(decodeURIComponent(location.hash)) ?? [];

if (form && secret) {
  history.replaceState(null, "", location.pathname + location.search);
  field.value = secret;
  form.requestSubmit();
}
