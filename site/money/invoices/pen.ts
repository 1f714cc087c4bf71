import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type PDFKit from 'pdfkit';
import { visualOrder } from './visual-order.ts';

/** How a line looks. */
interface LineStyle {
  size?: number;
  bold?: boolean;
  /** `end` is the far side of the reading direction. */
  align?: 'start' | 'end';
  /** A longer line ends with dots. */
  width: number;
}

/** Writes lines into a PDF with the fonts of the site, in the direction of its language. */
export interface Pen {
  /** Writes one line whose box begins at `x` from the side where reading begins. */
  line(text: string, x: number, y: number, style: LineStyle): void;
}

type Document = InstanceType<typeof PDFKit>;
const faces = ['national-park/files/national-park-latin', 'national-park/files/national-park-latin-ext'];
const arabic = 'noto-sans-arabic/files/noto-sans-arabic-arabic';

/** Reads the fonts: those of the site for Latin letters, Noto Sans for Arabic ones. */
export async function openPen(document: Document, dir: 'ltr' | 'rtl'): Promise<Pen> {
  const { resolve } = createRequire(import.meta.url);
  const fonts = [...faces, arabic];
  for (const weight of [400, 700])
    for (const [index, face] of fonts.entries())
      document.registerFont(
        `${weight}-${index}`,
        await readFile(resolve(`@fontsource/${face}-${weight}-normal.woff`)),
      );
  const page = document.page.width;

  /** The font of each part of a word, with what no font has as a question mark. */
  function partsOf(word: string, weight: number): Array<{ font: string; text: string }> {
    const parts: Array<{ font: string; text: string }> = [];
    const isArabic = /\p{Script=Arabic}/u.test(word);
    // the marks of an Arabic word belong to its font: only then they stand on its left
    const order = isArabic ? [...fonts.keys()].reverse() : [...fonts.keys()];
    for (const sign of word) {
      const index = order.find((at) => hasSign(document, `${weight}-${at}`, sign));
      const font = `${weight}-${index ?? 0}`;
      const text = index === undefined ? '?' : sign;
      const last = parts.at(-1);
      if (last?.font === font) last.text += text;
      else parts.push({ font, text });
    }
    return isArabic ? parts.reverse() : parts;
  }

  return {
    line(text, x, y, { size = 10, bold = false, align = 'start', width }) {
      const weight = bold ? 700 : 400;
      const lay = (given: string) => {
        const gap = document.font(`${weight}-0`).fontSize(size).widthOfString(' ');
        const words = visualOrder(given, dir).map((word) =>
          partsOf(word, weight).map((part) => ({
            ...part,
            width: document.font(part.font).fontSize(size).widthOfString(part.text),
          })),
        );
        const sum = words.flat().reduce((all, one) => all + one.width, 0);
        return { words, gap, width: sum + gap * Math.max(0, words.length - 1) };
      };
      let laid = lay(text);
      for (let kept = [...text]; laid.width > width && kept.length > 1; ) {
        kept = kept.slice(0, -1);
        laid = lay(`${kept.join('').trimEnd()}…`);
      }
      const from = align === 'start' ? x : x + width - laid.width;
      let at = dir === 'ltr' ? from : page - from - laid.width;
      for (const word of laid.words) {
        for (const part of word) {
          const where = { lineBreak: false, baseline: 'alphabetic' } as const;
          document
            .font(part.font)
            .fontSize(size)
            .text(part.text, at, y + size, where);
          at += part.width;
        }
        at += laid.gap;
      }
    },
  };
}

/** pdfkit keeps the font of fontkit behind its own. */
interface Opened {
  _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
}
const hasSign = (document: Document, name: string, sign: string): boolean => {
  document.font(name);
  return (document as unknown as Opened)._font.font.hasGlyphForCodePoint(sign.codePointAt(0)!);
};
