import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

const parts = ['latin', 'latin-ext', 'vietnamese'] as const;
const weights = { Regular: 400, Bold: 700 } as const;
export type Weight = keyof typeof weights;

/** Files of the display font, in the only format that sharp's text input can read. */
export type Fonts = Record<Weight, string[]>;

/**
 * Unpacks National Park into `folder`, so that images have text on a machine without fonts. (sharp's own FreeType reads
 * neither woff nor woff2.)
 */
export async function openFonts(folder: string): Promise<Fonts> {
  await mkdir(folder, { recursive: true });
  const { resolve } = createRequire(import.meta.url);
  const unpack = async (part: string, weight: number) => {
    const from = resolve(`@fontsource/national-park/files/national-park-${part}-${weight}-normal.woff`);
    const to = join(folder, `national-park-${part}-${weight}.ttf`);
    const made = join(folder, `${randomUUID()}.part`);
    await writeFile(made, unpacked(await readFile(from)));
    await rename(made, to); // another process may be reading it
    return to;
  };
  const all = (weight: Weight) => Promise.all(parts.map((part) => unpack(part, weights[weight])));
  return { Regular: await all('Regular'), Bold: await all('Bold') };
}

/** The OpenType font inside a WOFF 1.0 file: the same tables, decompressed. Source: W3C WOFF 1.0 §3, §4, §5. */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  const power = 2 ** Math.floor(Math.log2(count));
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(power * 16, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((count - power) * 16, 10);
  const tables: Buffer[] = [];
  let position = head.length;
  for (let number = 0; number < count; number++) {
    const [from, to] = [44 + 20 * number, 12 + 16 * number];
    const [offset, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(from + at)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(offset, offset + packed);
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    tables.push(packed < length ? inflateSync(bytes, { maxOutputLength: length }) : bytes, padding);
    woff.copy(head, to, from, from + 4); // its tag
    woff.copy(head, to + 4, from + 16, from + 20); // its checksum
    head.writeUInt32BE(position, to + 8);
    head.writeUInt32BE(length, to + 12);
    position += length + padding.length;
  }
  return Buffer.concat([head, ...tables]);
}
