/** Parses console lines: colors become classes, all other terminal control sequences are removed. Pure. */

export interface Piece {
  text: string;
  /** Classes of `console.css`, such as `a1 ab` (red, bold); empty for plain text. */
  style: string;
}

// CSI, OSC (also unterminated) and two-character sequences
const steering =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\u001b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_a-z])?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const tab = '    ';

interface Style {
  /** 0 to 15, as terminals count them; null for the default color. */
  color: number | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  under: boolean;
}
const plain: Style = { color: null, bold: false, dim: false, italic: false, under: false };

/** `text` without terminal control sequences, tabs as spaces. */
export const plainText = (text: string): string =>
  text.replace(steering, '').replace(control, '').replaceAll('\t', tab);

/** `text` split into pieces of one style; joined they are `plainText(text)`. */
export function piecesOf(text: string): Piece[] {
  if (!text.includes('\u001b')) return [{ text: plainText(text), style: '' }];
  const pieces: Piece[] = [];
  let style = plain;
  let at = 0;
  const add = (until: number) => {
    const codes = plainText(text.slice(at, until));
    if (codes) pieces.push({ text: codes, style: classesOf(style) });
  };
  for (const match of text.matchAll(steering)) {
    add(match.index);
    at = match.index + match[0].length;
    if (match[2] === 'm') style = changed(style, match[1] ?? '');
  }
  add(text.length);
  return pieces;
}

function classesOf({ color, bold, dim, italic, under }: Style): string {
  const names = [color !== null && `a${color}`, bold && 'ab', dim && 'ad', italic && 'ai', under && 'au'];
  return names.filter(Boolean).join(' ');
}

/** The style after one `m` sequence. Background colors are ignored: they would conflict with those of warnings. */
function changed(style: Style, codes: string): Style {
  const numbers = codes === '' ? [0] : codes.split(/[;:]/).map(Number);
  let now = style;
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i]!;
    if (code === 38 || code === 48) {
      const [color, used] = extended(numbers.slice(i + 1));
      if (code === 38) now = { ...now, color };
      i += used;
    } else now = { ...now, ...changeOf(code) };
  }
  return now;
}

function changeOf(code: number): Partial<Style> {
  if (code === 0) return plain;
  if (code === 1) return { bold: true };
  if (code === 2) return { dim: true };
  if (code === 3) return { italic: true };
  if (code === 4) return { under: true };
  if (code === 22) return { bold: false, dim: false };
  if (code === 23) return { italic: false };
  if (code === 24) return { under: false };
  if (code === 39) return { color: null };
  if (code >= 30 && code <= 37) return { color: code - 30 };
  if (code >= 90 && code <= 97) return { color: code - 90 + 8 };
  return {};
}

/** The nearest of the sixteen colors for `5;n` and `2;r;g;b`, and how many parameters that used. */
function extended([kind, ...rest]: number[]): [number | null, number] {
  if (kind === 5) return [ofPalette(rest[0] ?? 0), 2];
  if (kind === 2) return [nearest([rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0]), 4];
  return [null, 0];
}

function ofPalette(index: number): number | null {
  if (index < 16) return index;
  if (index >= 232) return nearest([0, 0, 0].map(() => 8 + (index - 232) * 10));
  const cube = index - 16;
  const of = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  return nearest([of(Math.floor(cube / 36)), of(Math.floor(cube / 6) % 6), of(cube % 6)]);
}

/** One bit each for red, green and blue, plus eight when bright; a plain grey is the default color. */
function nearest(rgb: readonly number[]): number | null {
  const max = Math.max(...rgb);
  if (max - Math.min(...rgb) < 32) return null;
  const bits = rgb.map((one, bit) => (one > max / 2 ? 1 << bit : 0));
  return bits.reduce((sum, bit) => sum + bit, max > 190 ? 8 : 0);
}
