// A card: a family, its forms, and the evidence in a fixed order, all inserted as text.

import { h, unseen } from "./dom.js";
import { texts } from "./texts.js";

/** The sentence that announces a card to screen readers: its head form, and the words of the other forms. */
export function sentence(card) {
  const head = mainForm(card);
  const others = card.forms.filter((form) => form !== head).map(({ word }) => word);
  const note = head.word === card.head ? "" : texts.notAtStake(card.head);
  return [note, `${head.text.replace(/\.$/, "")}.`, others.length ? texts.family(others) : ""].filter(Boolean).join(" ");
}

/** The word that a card is known by to its reader; of a vote from before the page was opened only the head is known. */
export const shownWord = (card) => (card.forms ? mainForm(card).word : card.head);

/** The form that the card shows in tiles: the head or, where that is not at stake, the form met most often. */
function mainForm(card) {
  const byUse = [...card.forms].sort((a, b) => (b.zipf ?? 0) - (a.zipf ?? 0));
  return card.forms.find(({ word }) => word === card.head) ?? byUse[0];
}

/** Draw a card; `picked` are the words that the vote is on, null for the whole family. */
export function drawCard(card, picked, onPick) {
  const article = h(
    "article",
    { class: "card", "aria-labelledby": "head" },
    h("div", { class: "face" }, drawHead(card), drawForms(card, picked, onPick), drawNote(card)),
    drawEvidence(card),
  );
  // The style sheet sizes the tiles so that the whole head fits into one line.
  article.style.setProperty("--letters", Math.max(mainForm(card).word.length, 4));
  return article;
}

function drawHead(card) {
  const { word } = mainForm(card);
  return h(
    "header",
    {},
    h("p", { class: "standing" }, texts.question),
    h("h1", { id: "head", tabindex: "-1" }, word),
    h("div", { class: "tiles", "aria-hidden": "true" }, [...word].map((letter) => h("span", {}, letter))),
    h("p", { class: "aside" }, texts.standing[card.standing]),
    word !== card.head && h("p", { class: "aside" }, texts.notAtStake(card.head)),
    drawRound(card),
  );
}

function drawRound(card) {
  if (card.second) {
    const path = `/discussions/${encodeURIComponent(card.head)}`;
    return h("p", { class: "aside" }, `${texts.second}. `, h("a", { href: path, target: "_blank" }, texts.toDiscussion));
  }
  return card.round > 1 && h("p", { class: "aside" }, texts.round(card.round));
}

function drawForms(card, picked, onPick) {
  const items = card.forms.map((form, at) => {
    const word = [h("span", { "aria-hidden": "true" }, form.word), unseen(form.text)];
    if (picked === null) return h("li", {}, word);
    const box = h("input", {
      type: "checkbox", checked: picked.has(form.word), "data-form": at,
      onchange: ({ target }) => onPick(form.word, target.checked),
    });
    return h("li", {}, h("label", {}, box, word));
  });
  const list = h("ul", { class: picked === null ? "forms" : "forms picking" }, items);
  const hint = picked !== null && h("p", { class: "hint" }, texts.formsHint);
  return h("section", { "aria-labelledby": "forms" }, h("h2", { id: "forms" }, texts.forms), list, hint);
}

function drawNote(card) {
  return card.note ? h("p", { class: "note" }, h("b", {}, texts.yourNote), " ", card.note) : null;
}

function drawEvidence(card) {
  const rows = {
    sources: card.forms.map((form) => drawSources(form, card.forms.length > 1)),
    derivation: drawList(card.derivations.map(drawDerivation)),
    band: drawFigures(card, ({ band }) => (band === null ? texts.noBand : texts.band(band))),
    frequency: drawFigures(card, ({ zipf }) => (zipf === null ? texts.unmeasured : texts.zipf(zipf))),
    related: card.related.length ? h("p", { class: "words" }, card.related.join(" · ")) : drawNone(),
    comparable: drawList(card.comparable.map(drawComparable)),
  };
  return h(
    "section",
    { class: "evidence", "aria-labelledby": "evidence" },
    h("h2", { id: "evidence" }, texts.evidence),
    h("dl", { class: "rows" }, Object.entries(rows).flatMap(([name, row]) => [h("dt", {}, texts.rows[name]), h("dd", {}, row)])),
  );
}

function drawSources(form, isNamed) {
  const witnesses = form.witnesses.map((witness) =>
    h(
      "li",
      {},
      h("span", { class: "source" }, witness.source),
      h("span", { class: "as" }, describeWitness(witness)),
      witness.labels.map((label) => h("span", { class: "label" }, label)),
      witness.gloss && h("q", {}, witness.gloss),
    ),
  );
  const list = witnesses.length ? h("ul", { class: "witnesses" }, witnesses) : h("p", { class: "faint" }, texts.noSource);
  return isNamed ? h("div", { class: "form" }, h("h3", {}, form.word), list) : list;
}

function describeWitness({ provenance, slot, pos }) {
  const inflection = slot === "base" ? "" : slot;
  return [[pos, inflection].filter(Boolean).join(" "), texts.provenance[provenance] ?? provenance].filter(Boolean).join(", ");
}

function drawDerivation({ pattern, base, settled }) {
  return [texts.made(pattern, base), " ", h("span", { class: "label" }, settled ? texts.settled : texts.atStake)];
}

/** Draw a figure of each form, or one where it is the same for all. */
function drawFigures(card, format) {
  const figures = card.forms.map((form) => [form.word, format(form)]);
  if (figures.every(([, figure]) => figure === figures[0][1])) return h("p", {}, figures[0][1]);
  return drawList(figures.map(([word, figure]) => [h("b", {}, word), `: ${figure}`]));
}

function drawComparable(each) {
  const examples = each.examples.map(({ word, outcome }, at) => [
    at > 0 && ", ", h("b", {}, word), ` ${texts.outcome[outcome] ?? outcome}`,
  ]);
  return [`${each.pattern}: ${texts.comparable(each.in, each.out)}`, examples.length > 0 && h("span", { class: "examples" }, examples.flat())];
}

function drawList(items) {
  return items.length ? h("ul", {}, items.map((item) => h("li", {}, item))) : drawNone();
}

function drawNone() {
  return h("p", { class: "faint" }, texts.none);
}
