import sharp, { type OverlayOptions } from 'sharp';
import { contours } from '../../platform/ui/contours.ts';
import type { RenderedText, textRenderer } from './text-renderer.ts';

/** The content of an Open Graph image, localized. */
export interface Card {
  /** Its type and author. */
  kind: string;
  title: string;
  /** Used instead of a title that no font here can render. */
  name: string;
  summary: string;
  facts: readonly string[];
  /** Tints the contour lines in the background, as 0xRRGGBB. */
  color: number | null;
  icon_key: string | null;
  /** The seed of the contour lines. */
  seed: string;
  dir: 'ltr' | 'rtl';
}

/** Increase it with every change of the design: cached images are rendered again. */
export const design_version = 1;
const size = { width: 1200, height: 630 } as const;

const margin = 72;
const icon = 208;
const column = margin + icon + 48;
const ink = '#efeee6';
const ink2 = '#bfbeb1';
const stones = [
  ['#7b7a6d', 'M2 25.9C2 22.2 7 20.5 15 20.5c9 0 15 2.3 15 5.6 0 2.8-4.6 3.9-13.6 3.9C7.2 30 2 29 2 25.9Z'],
  [
    '#a8a797',
    'M5.6 15.9C5.3 12.9 9.4 10.9 15 11.1c6.6.2 11 2 10.9 4.8-.1 2.6-4.7 3.2-10.5 3.1-5.8-.1-9.5-.4-9.8-3.1Z',
  ],
  [
    '#d8c751',
    'M11.4 6.1C11.2 3.4 14 1.8 17.2 2c3.4.2 5.4 1.8 5.2 4.2-.2 2.6-2.6 3.4-5.7 3.3-3.1-.1-5.1-.8-5.3-3.4Z',
  ],
] as const;

/** The logo at a position and in a size. */
const mark = (x: number, y: number, width: number): string =>
  `<g transform="translate(${x} ${y}) scale(${width / 32})">${stones.map(([fill, d]) => `<path fill="${fill}" d="${d}"/>`).join('')}</g>`;

function background({ seed, color, dir }: Card, hasIcon: boolean): Buffer {
  const tint = color === null ? '#efeee6' : `#${color.toString(16).padStart(6, '0')}`;
  const lines = contours(seed, size.width, size.height)
    .map(({ d, thick }) => `<path d="${d}" stroke-width="${thick ? 2.4 : 1.3}"/>`)
    .join('');
  const fade = dir === 'rtl' ? 'x1="1" x2="0"' : 'x1="0" x2="1"';
  const position = dir === 'rtl' ? size.width - margin - icon : margin;
  const brand = dir === 'rtl' ? size.width - margin - 48 : margin;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">
<defs><linearGradient id="f" ${fade}><stop offset=".2" stop-color="#fff" stop-opacity=".1"/><stop offset="1" stop-color="#fff" stop-opacity=".5"/></linearGradient>
<mask id="m"><rect width="100%" height="100%" fill="url(#f)"/></mask></defs>
<rect width="100%" height="100%" fill="#161714"/>
<g mask="url(#m)" fill="none" stroke="${tint}">${lines}</g>
${hasIcon ? '' : `<rect x="${position}" y="${margin}" width="${icon}" height="${icon}" rx="40" fill="#272822"/>${mark(position + 44, margin + 44, 120)}`}
<path d="M${margin} 524.5H${size.width - margin}" stroke="#45473e"/>
${mark(brand, 543, 48)}
</svg>`);
}

/** An icon as a rounded square; null when its bytes are not an image. */
async function tile(bytes: Buffer): Promise<Buffer | null> {
  const mask = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${icon}" height="${icon}"><rect width="100%" height="100%" rx="40"/></svg>`,
  );
  return await sharp(bytes, { limitInputPixels: 4096 * 4096, failOn: 'error' })
    .resize(icon, icon, { fit: 'cover', kernel: 'lanczos3' })
    .ensureAlpha()
    .composite([{ input: mask, blend: 'dest-in' }])
    .png({ compressionLevel: 1 })
    .toBuffer()
    .catch(() => null);
}

/** The image as PNG of 1200 by 630 pixels. `bytes`: those of the icon; null for the logo in its place. */
export async function render(
  card: Card,
  bytes: Buffer | null,
  { letters, drawable }: ReturnType<typeof textRenderer>,
): Promise<Buffer> {
  const width = size.width - margin - column;
  const title = (await drawable(card.title)) ? card.title : card.name;
  const write = (text: string, room: Omit<Parameters<typeof letters>[1], 'width'> & { width?: number }) =>
    letters(text, { width, ...room });
  const [picture, kind, name, summary, facts, brand] = [
    bytes && (await tile(bytes)),
    await write(card.kind, { weight: 'Regular', color: ink2, sizes: [30], height: 44 }),
    await write(title, { weight: 'Bold', color: ink, sizes: [84, 68, 56], height: 156 }),
    await write(card.summary, {
      weight: 'Regular',
      color: ink2,
      sizes: [38, 34],
      height: 144,
      width: size.width - 2 * margin,
    }),
    await write(card.facts.join('   ·   '), { weight: 'Regular', color: ink, sizes: [30], height: 44 }),
    await write('Cairn', { weight: 'Bold', color: ink, sizes: [34], height: 44, width: 200 }),
  ];

  const layers: OverlayOptions[] = [];
  /** Places an image with its start or end edge at `x`, measured from the start of the line. */
  const put = (one: RenderedText | null, x: number, top: number, end = false) => {
    if (!one) return;
    const from = end ? x - one.width : x;
    const left = card.dir === 'rtl' ? size.width - from - one.width : from;
    layers.push({ input: one.input, left: Math.round(left), top: Math.round(top) });
  };
  const middle = (one: RenderedText | null, y: number) => y - (one?.height ?? 0) / 2;
  if (picture) put({ input: picture, width: icon, height: icon }, margin, margin);
  const gap = 26;
  const high = (kind?.height ?? 0) + gap + (name?.height ?? 0);
  const top = margin + Math.max(0, (icon - high) / 2);
  put(kind, column, top);
  put(name, column, top + (kind?.height ?? 0) + gap);
  put(summary, margin, Math.max(margin + icon, top + high) + 48);
  put(brand, margin + 64, middle(brand, 568));
  put(facts, size.width - margin, middle(facts, 568), true);
  return await sharp(background(card, picture !== null))
    .composite(layers)
    .png({ compressionLevel: 9 })
    .toBuffer();
}
