import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { plain } from '../../platform/text/xml.ts';
import type { Fonts, Weight } from './fonts.ts';

export interface Style {
  weight: Weight;
  /** As in CSS: `#efeee6`. */
  color: string;
  /** Font sizes in pixels; the first one that fits is used. */
  sizes: readonly number[];
  /** The available width, in pixels. */
  width: number;
  height: number;
}

/** A text as an image with a transparent background. */
export interface RenderedText {
  input: Buffer;
  width: number;
  height: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]!);

/** The beginning of a text, cut at a word boundary when one is near. */
const shortened = (text: string): string => `${text.replace(/(?<=.{20})\s\S{0,12}$/su, '').trimEnd()}…`;

/**
 * Renders texts in our font, other scripts in system fonts. Pango breaks lines (also without spaces), handles
 * bidirectional text and ligatures; it has no fonts of its own, so characters without a font are removed.
 */
export function textRenderer(fonts: Fonts) {
  let learnt: Promise<void> | undefined;
  const known = new LRUCache<string, boolean>({ max: 20_000 });
  const boxes = new Map<boolean, Promise<Raw>>();

  const options = (text: string, weight: Weight, size: number, width?: number) => ({
    text: {
      text,
      font: `National Park ${weight} ${size}`,
      fontfile: fonts[weight][0]!,
      dpi: 72,
      rgba: true,
      ...(width ? { width, wrap: 'word-char' as const } : {}),
    },
  });

  /** Pango knows a font file after its first use. */
  async function learn(): Promise<void> {
    for (const weight of ['Regular', 'Bold'] as const)
      for (const fontfile of fonts[weight])
        await sharp({ text: { text: 'x', font: `National Park ${weight}`, fontfile } }).toBuffer();
  }

  interface Raw {
    data: Buffer;
    width: number;
    height: number;
  }
  async function raw(text: string): Promise<Raw> {
    const { data, info } = await sharp(options(text, 'Regular', 40))
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  }

  /** Whether a font has the character: else Pango draws its code in a box, which always looks the same. */
  async function hasFont(char: string): Promise<boolean> {
    const wide = char.codePointAt(0)! > 0xffff;
    const box = boxes.get(wide) ?? raw(wide ? '\u{4abcd}' : '\u0378'); // an unassigned code point
    boxes.set(wide, box);
    const [frame, drawn] = await Promise.all([box, raw(escaped(char)).catch(() => null)]);
    if (!drawn) return false; // no visible pixels
    if (drawn.width !== frame.width || drawn.height !== frame.height) return true;
    const upper = drawn.width * 4 * 2; // two rows of pixels: the top edge of the box, above the code
    return !drawn.data.subarray(0, upper).equals(frame.data.subarray(0, upper));
  }

  /** `text` without the characters no font has; null when most of it would be removed. */
  async function drawable(text: string): Promise<string | null> {
    learnt ??= learn();
    await learnt;
    const clean = plain(text);
    const doubtful = [...new Set(clean.match(/[^\u0020-\u024f\p{M}\p{Cf}\p{Z}]/gu) ?? [])];
    for (const char of doubtful) if (!known.has(char)) known.set(char, await hasFont(char));
    const missing = new Set(doubtful.filter((char) => known.get(char) === false));
    if (missing.size === 0) return clean === '' ? null : clean;
    const left = [...clean].filter((char) => !missing.has(char)).join('');
    const letters = (all: string) => all.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    return letters(left) * 2 > letters(clean) ? plain(left) : null;
  }

  async function drawn(text: string, { weight, color, width }: Style, size: number): Promise<RenderedText> {
    const markup = `<span foreground="${color}">${escaped(text)}</span>`;
    const { data, info } = await sharp(options(markup, weight, size, width))
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true });
    return { input: data, width: info.width, height: info.height };
  }

  /** The text in the largest size that fits, else truncated in the smallest. Null when nothing can be rendered. */
  async function letters(text: string, style: Style): Promise<RenderedText | null> {
    const whole = await drawable(text);
    if (!whole) return null;
    const matches = (one: RenderedText) => one.height <= style.height && one.width <= style.width;
    for (const size of style.sizes) {
      const one = await drawn(whole, style, size);
      if (matches(one)) return one;
    }
    const smallest = style.sizes.at(-1)!;
    const graphemes = [...segmenter.segment(whole)].slice(0, 400).map(({ segment }) => segment);
    let [short, long] = [0, graphemes.length];
    let best: RenderedText | null = null;
    while (long - short > 1) {
      const middle = (short + long) >> 1;
      const one = await drawn(shortened(graphemes.slice(0, middle).join('')), style, smallest);
      if (matches(one)) [best, short] = [one, middle];
      else long = middle;
    }
    return best;
  }

  return { letters, drawable };
}
