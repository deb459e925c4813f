/**
 * The picture of a position as SVG, as ordws/pictures/svg.py draws it on light paper, and as PNG; both are made on this
 * device. A picture that a page shows is dark on a dark screen.
 */

import { allSquares, at, EMPTY, isInner, squareOf } from "./rules.js";
import { t } from "./texts.js";
import { describeBoard, describeSquare, isStart, premiumOf } from "./alt-text.js";

const SQUARE_SIZE = 40;
const MARGIN = 36;
const HEADER_HEIGHT = 70;
const STAR = "l1.8 4.1 4.4.5-3.3 3 .9 4.4-3.8-2.2-3.8 2.2.9-4.4-3.3-3 4.4-.5z";
const FONTS = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif";
const GROUNDS = {
  paper: "#ffffff", plain: "#dde4e1", wing: "#f0f3f1", "2l": "#a3d3ee", "2w": "#ec9f68", "3l": "#2474b3",
  "3w": "#b3391c", "4l": "#1f4e85", "4w": "#5e1426", tile: "#fdf1cd",
};
const INKS = {
  paper: "#22282c", plain: "#22282c", wing: "#22282c", "2l": "#10202b", "2w": "#2b1405", "3l": "#ffffff",
  "3w": "#ffffff", "4l": "#ffffff", "4w": "#ffffff", tile: "#1b1712",
};
const RIM = "#a58643";
const LAST = "#7b1fa2";
const STRETCHED = "#00705a";
const DARK_GROUNDS = {
  paper: "#14181b", plain: "#333d43", wing: "#1d2225", "2l": "#1f4d66", "2w": "#8f4e20", "3l": "#7db9e0",
  "3w": "#e58a6a", "4l": "#cfe6f5", "4w": "#f6c5b4", tile: "#ecdcb0",
};
const DARK_INKS = {
  paper: "#e4e8ea", plain: "#e4e8ea", wing: "#e4e8ea", "2l": "#ffffff", "2w": "#ffffff", "3l": "#10202b",
  "3w": "#2b1405", "4l": "#10202b", "4w": "#2b1405", tile: "#1b1712",
};
const DARK_LINES = { rim: "#7a642f", last: "#d48cf0", stretched: "#00614e" };
const PNG_SCALE = 2;

/**
 * Return the SVG of a position.
 *
 * @param {object} rules whose layout and tile values are drawn
 * @param {string[]} board
 * @param {{title: string, last?: string[], stretched?: string[], isOnPage?: boolean}} shown squares to outline and to
 *   underline, by name; a picture on a page follows the theme of the screen
 */
export function drawPosition(rules, board, { title, last = [], stretched = [], isOnPage = false }) {
  const side = board.length, width = 2 * MARGIN + side * SQUARE_SIZE, height = HEADER_HEIGHT + side * SQUARE_SIZE + 74;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`
    + ` role="img" aria-labelledby="title words" text-anchor="middle" font-family="${FONTS}">`,
    `<title id="title">${escapeText(title)}</title>`,
    `<desc id="words">${escapeText(describeBoard(rules.layout, board, last, stretched))}</desc>`,
    ...(isOnPage ? [darkStyle()] : []),
    `<rect ${background("paper")} width="${width}" height="${height}"/>`,
    text("paper", width / 2, 32, title, ' font-size="20" font-weight="600"'),
    ...drawBoard(rules, board, last, stretched),
    "</svg>\n",
  ].join("\n");
}

/** Return the attributes of a position's picture on a page; its text has the board in words. */
export function positionPicture(rules, board, { title, last = [] }) {
  const svg = drawPosition(rules, board, { title, last, isOnPage: true });
  return { src: addressOf(svg), alt: describeBoard(rules.layout, board, last, []) };
}

function addressOf(svg) {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

/** Return a picture as PNG, at twice its size in pixels. */
export async function toPng(svg) {
  const image = new Image();
  image.src = addressOf(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: image.naturalWidth * PNG_SCALE, height: image.naturalHeight * PNG_SCALE });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function darkStyle() {
  const fills = (letter, colours) => Object.entries(colours).map(([kind, fill]) => `.${letter}-${kind}{fill:${fill}}`);
  const lines = Object.entries(DARK_LINES).map(([kind, stroke]) => `.s-${kind}{stroke:${stroke}}`);
  const rules = [...fills("g", DARK_GROUNDS), ...fills("i", DARK_INKS), ...lines];
  return `<style>@media screen and (prefers-color-scheme:dark){${rules.join("")}}</style>`;
}

function drawBoard(rules, board, last, stretched) {
  const { layout } = rules, squares = allSquares(board);
  const laid = squares.filter((square) => at(board, square) !== EMPTY);
  const hasLabel = (square) => premiumOf(layout, square) || isStart(layout, square);
  const labelled = squares.filter((square) => at(board, square) === EMPTY && hasLabel(square));
  const isMarked = (names, [row, column]) => names.map(squareOf).some(([r, c]) => r === row && c === column);
  const named = (square, drawn) => {
    const marks = [isMarked(last, square) && t("board.last"), isMarked(stretched, square) && t("board.stretched")];
    const words = describeSquare(rules, square, at(board, square), marks.filter(Boolean));
    return `<g><title>${escapeText(words)}</title>${drawn}</g>`;
  };
  return [
    ...drawLabels(board.length),
    ...drawGrounds(layout, squares),
    '<g font-size="14" font-weight="600">',
    ...labelled.map((square) => named(square, drawPremium(layout, square))),
    "</g>",
    ...laid.map((square) => named(square, drawTile(rules.values, square, at(board, square)))),
    ...stretched.map(squareOf).map(drawUnderline),
    ...last.map(squareOf).map(drawOutline),
    ...drawLegend(board, last, stretched),
  ];
}

/** Draw the letters of the columns and the numbers of the rows, on all four sides. */
function drawLabels(side) {
  const lines = [...Array(side).keys()].flatMap((i) => {
    const [x, y] = squareCorner([i, i]), letter = String.fromCharCode(65 + i);
    return [
      ...[HEADER_HEIGHT - 9, HEADER_HEIGHT + side * SQUARE_SIZE + 19]
        .map((baseline) => `<text x="${x + 20}" y="${baseline}">${letter}</text>`),
      ...[20, 52 + side * SQUARE_SIZE].map((middle) => `<text x="${middle}" y="${y + 25}">${i + 1}</text>`),
    ];
  });
  return [`<g ${foreground("paper")} font-size="13">`, ...lines, "</g>"];
}

/** Draw all squares, those in the wings paler. */
function drawGrounds(layout, squares) {
  return [["wing", false], ["plain", true]].flatMap(([kind, inner]) => {
    const corners = squares.filter((square) => isInner(layout, square) === inner).map(squareCorner);
    const path = corners.map(([x, y]) => `M${x + 1} ${y + 1}h38v38h-38z`).join("");
    return path ? [`<path ${background(kind)} d="${path}"/>`] : [];
  });
}

/** Draw a premium square with its label; a star on the square where the first play must go. */
function drawPremium(layout, square) {
  const kind = premiumOf(layout, square), [x, y] = squareCorner(square), starts = isStart(layout, square);
  const label = kind ? text(kind, x + 20, y + (starts ? 33 : 25), kind.toUpperCase()) : "";
  const drawn = kind ? `<rect ${background(kind)} x="${x + 1}" y="${y + 1}" width="38" height="38"/>${label}` : "";
  return starts ? `${drawn}<path ${foreground(kind ?? "plain")} d="M${x + 20} ${y + 5}${STAR}"/>` : drawn;
}

/** Draw a tile with its value; a blank is circled and counts 0. */
function drawTile(values, square, letter) {
  const [x, y] = squareCorner(square), tile = letter.toUpperCase(), isBlank = letter !== tile;
  const body = `<rect class="g-tile s-rim" fill="${GROUNDS.tile}" stroke="${RIM}" x="${x + 2}" y="${y + 2}" width="36" height="36" rx="4"/>`;
  const ring = `<circle cx="${x + 18}" cy="${y + 18}" r="12.5" fill="none" stroke="${INKS.tile}"/>`;
  const face = isBlank
    ? ring + text("tile", x + 18, y + 24, tile, ' font-size="17" font-weight="600"')
    : text("tile", x + 17, y + 27, tile, ' font-size="21" font-weight="600"');
  const value = text("tile", x + 36, y + 33, isBlank ? 0 : values[tile] ?? "", ' font-size="10" text-anchor="end"');
  return body + face + value;
}

function drawUnderline(square) {
  const [x, y] = squareCorner(square);
  return `<path class="s-stretched" stroke="${STRETCHED}" stroke-width="4" d="M${x} ${y + 37}h40"/>`;
}

function drawOutline(square) {
  const [x, y] = squareCorner(square);
  const frame = `x="${x + 1.5}" y="${y + 1.5}" width="37" height="37" rx="5"`;
  return `<rect class="s-last" stroke="${LAST}" stroke-width="3" fill="none" ${frame}/>`;
}

/** Draw the meaning of the marks that are on the board. */
function drawLegend(board, last, stretched) {
  const marks = [
    last.length > 0 && t("board.key-last"), stretched.length > 0 && t("board.key-stretched"),
    /[a-z]/.test(board.join("")) && t("board.key-blank"),
  ].filter(Boolean);
  const middle = MARGIN + (board.length * SQUARE_SIZE) / 2, bottom = HEADER_HEIGHT + board.length * SQUARE_SIZE + 46;
  return marks.length ? [text("paper", middle, bottom, marks.join(", "), ' font-size="13"')] : [];
}

/** Return the left and top of a square. */
function squareCorner([row, column]) {
  return [MARGIN + column * SQUARE_SIZE, HEADER_HEIGHT + row * SQUARE_SIZE];
}

function background(kind) {
  return `class="g-${kind}" fill="${GROUNDS[kind]}"`;
}

function foreground(kind) {
  return `class="i-${kind}" fill="${INKS[kind]}"`;
}

function text(kind, x, y, words, more = "") {
  return `<text ${foreground(kind)} x="${x}" y="${y}"${more}>${escapeText(String(words))}</text>`;
}

function escapeText(words) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return words.replace(/[&<>"']/g, (sign) => entities[sign]);
}
