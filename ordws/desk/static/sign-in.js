// Signing in by a link: the secret is after the #, so that it stands in no log; it is taken off the address at once. A
// director whom this browser does not know yet types their name first.

const form = document.querySelector("#sign-in");
const field = form?.querySelector("[name=key], [name=code]");
const [, secret] = /^#(?:key|code)=(.+)$/.exec(decodeURIComponent(location.hash)) ?? [];

if (form && secret) {
  history.replaceState(null, "", location.pathname + location.search);
  field.value = secret;
  if (form.checkValidity()) form.requestSubmit();
  else form.querySelector(":invalid").focus();
}
