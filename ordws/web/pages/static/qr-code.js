/**
 * QR codes of links as ISO/IEC 18004 draws them, made on this device, so that an invitation is sent nowhere: bytes,
 * error correction of level L, up to version 13. Pure; tests/pages/test_qr_code_js.py holds them equal to segno's.
 */

/** By version, from 1: the codewords of error correction in a block, and the number of blocks. */
const CORRECTION_CODEWORDS = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4];
const PADDING = [0xec, 0x11];
const QUIET_ZONE = 4;
const MASKS = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];
const FINDER_LIKE = ["10111010000", "00001011101"];

/** Return a code as the address of an SVG picture, dark on white, with the margin that scanners need. */
export function qrPicture(text) {
  const modules = qrModules(text), size = modules.length + 2 * QUIET_ZONE;
  const dark = modules.flatMap((row, y) => [...row.keys()].filter((x) => row[x])
    .map((x) => `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`
    + `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${dark.join("")}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Return the dark modules of the smallest code for a text, row by row; a longer text than fits raises a RangeError. */
export function qrModules(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, i) => 4 + countBits(i + 1) + 8 * bytes.length <= 8 * dataCodewords(i + 1)) + 1;
  if (version === 0) throw new RangeError(`${bytes.length} bytes are too long for a QR code of this kind`);
  const { modules, isFunction } = drawFunctions(version);
  drawCodewords(modules, isFunction, interleave(version, fillCodewords(version, bytes)));
  const masked = MASKS.map((isFlipped, mask) => {
    const tried = modules.map((row, y) => row.map((dark, x) => dark !== (!isFunction[y][x] && isFlipped(y, x))));
    drawFormat(tried, mask);
    return tried;
  });
  const penalties = masked.map(penaltyOf);
  return masked[penalties.indexOf(Math.min(...penalties))];
}

function countBits(version) {
  return version < 10 ? 8 : 16;
}

/** Return the number of codewords of a version, for data and error correction together. */
function allCodewords(version) {
  const aligned = alignmentPositions(version).length;
  const alignment = aligned ? (25 * aligned - 10) * aligned - 55 : 0;
  return Math.floor(((16 * version + 128) * version + 64 - alignment - (version < 7 ? 0 : 36)) / 8);
}

function dataCodewords(version) {
  return allCodewords(version) - CORRECTION_CODEWORDS[version - 1] * BLOCKS[version - 1];
}

/** Return the data: the mode of bytes, their number, the bytes, and what fills the code. */
function fillCodewords(version, bytes) {
  const binary = (value, length) => value.toString(2).padStart(length, "0");
  const bits = ["0100", binary(bytes.length, countBits(version)), ...bytes.map((byte) => binary(byte, 8)), "0000"];
  const most = dataCodewords(version), codewords = bits.join("").match(/.{8}/g).map((byte) => parseInt(byte, 2));
  return [...codewords, ...Array.from({ length: most - codewords.length }, (_, i) => PADDING[i % 2])];
}

/** Return data and error correction of all blocks, column by column; the last blocks may have one codeword more. */
function interleave(version, data) {
  const count = BLOCKS[version - 1], length = CORRECTION_CODEWORDS[version - 1];
  const short = Math.floor(data.length / count);
  const firstLong = count - (data.length % count), start = (i) => i * short + Math.max(0, i - firstLong);
  const blocks = Array.from({ length: count }, (_, i) => data.slice(start(i), start(i + 1)));
  const corrections = blocks.map((block) => correctionOf(block, length));
  const columns = (rows, width) => Array.from({ length: width }, (_, i) => rows.map((row) => row[i])).flat();
  return [...columns(blocks, short + 1), ...columns(corrections, length)].filter((codeword) => codeword !== undefined);
}

/** Multiply in the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** Return the Reed-Solomon codewords of a block. */
function correctionOf(block, length) {
  let divisor = [1];
  for (let i = 0, root = 1; i < length; i += 1, root = multiply(root, 2)) {
    divisor = [...divisor, 0].map((each, j) => each ^ (j ? multiply(divisor[j - 1], root) : 0));
  }
  const remainder = Array(length).fill(0);
  for (const codeword of block) {
    const factor = codeword ^ remainder.shift();
    remainder.push(0);
    divisor.slice(1).forEach((each, i) => (remainder[i] ^= multiply(each, factor)));
  }
  return remainder;
}

function alignmentPositions(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2, last = 4 * version + 10;
  const step = Math.ceil((last - 6) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => last - (count - 2 - i) * step)];
}

/** Draw what is the same in every code of a version, and note its modules. */
function drawFunctions(version) {
  const size = 4 * version + 17, grid = (value) => Array.from({ length: size }, () => Array(size).fill(value));
  const modules = grid(false), isFunction = grid(false);
  const set = (row, column, dark) => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    modules[row][column] = dark;
    isFunction[row][column] = true;
  };
  const rings = (row, column, radius, isDark) => {
    for (let y = -radius; y <= radius; y += 1) {
      for (let x = -radius; x <= radius; x += 1) set(row + y, column + x, isDark(Math.max(Math.abs(x), Math.abs(y))));
    }
  };
  for (let i = 0; i < size; i += 1) [[6, i], [i, 6]].forEach(([row, column]) => set(row, column, i % 2 === 0));
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) rings(row, column, 4, (r) => r !== 2 && r !== 4);
  const centres = alignmentPositions(version), last = centres.length - 1;
  const isCorner = (i, j) => [[0, 0], [0, last], [last, 0]].some(([a, b]) => a === i && b === j);
  centres.forEach((row, i) => centres.forEach((column, j) => isCorner(i, j) || rings(row, column, 2, (r) => r !== 1)));
  for (const [row, column] of formatSquares(size).flat()) set(row, column, false);
  set(size - 8, 8, true);
  if (version >= 7) {
    const bits = (version << 12) | remainderOf(version, 0x1f25, 12);
    for (let i = 0; i < 18; i += 1) {
      const [a, b] = [Math.floor(i / 3), size - 11 + (i % 3)], dark = ((bits >> i) & 1) === 1;
      set(a, b, dark);
      set(b, a, dark);
    }
  }
  return { modules, isFunction };
}

/** Return the remainder of a number, shifted, by a polynomial of a BCH code. */
function remainderOf(number, polynomial, shift) {
  let rest = number << shift;
  for (let bit = 31 - Math.clz32(rest); bit >= shift; bit -= 1) {
    if ((rest >> bit) & 1) rest ^= polynomial << (bit - shift);
  }
  return rest;
}

/** Return the two places of the 15 format bits, each from the lowest bit on. */
function formatSquares(size) {
  const corner = [0, 1, 2, 3, 4, 5, 7, 8].map((row) => [row, 8])
    .concat([7, 5, 4, 3, 2, 1, 0].map((column) => [8, column]));
  const edges = Array.from({ length: 15 }, (_, i) => (i < 8 ? [8, size - 1 - i] : [size - 15 + i, 8]));
  return [corner, edges];
}

/** Draw the level of error correction, which is 1 for L, and the mask. */
function drawFormat(modules, mask) {
  const data = (1 << 3) | mask, bits = ((data << 10) | remainderOf(data, 0x537, 10)) ^ 0x5412;
  for (const squares of formatSquares(modules.length)) {
    squares.forEach(([row, column], i) => (modules[row][column] = ((bits >> i) & 1) === 1));
  }
}

/** Draw the codewords in columns of two modules, up and down in turn, from the right; column 6 is the timing's. */
function drawCodewords(modules, isFunction, codewords) {
  const size = modules.length;
  const bits = codewords.flatMap((each) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (each >> bit) & 1));
  let next = 0, up = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let i = 0; i < size; i += 1) {
      const row = up ? size - 1 - i : i;
      for (const column of [right, right - 1].filter((each) => !isFunction[row][each])) {
        modules[row][column] = bits[next] === 1;
        next += 1;
      }
    }
  }
}

/** Return how hard a code is to scan, by the four rules of the standard. */
function penaltyOf(modules) {
  const size = modules.length, write = (line) => line.map(Number).join("");
  const rows = modules.map(write), lines = [...rows, ...modules.map((_, i) => write(modules.map((row) => row[i])))];
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
  let squares = 0;
  for (let y = 0; y < size - 1; y += 1) {
    for (let x = 0; x < size - 1; x += 1) {
      const four = rows[y].slice(x, x + 2) + rows[y + 1].slice(x, x + 2);
      squares += four === "0000" || four === "1111" ? 1 : 0;
    }
  }
  const starts = [...Array(size - 10).keys()];
  const finders = lines.flatMap((line) => starts.filter((i) => FINDER_LIKE.includes(line.slice(i, i + 11)))).length;
  const dark = rows.join("").replaceAll("0", "").length;
  return runs + 3 * squares + 40 * finders + 10 * Math.floor(Math.abs((20 * dark) / size ** 2 - 10));
}
