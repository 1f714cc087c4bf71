import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

/**
 * Generates the site's icons from its logo: `node bin/icons.ts`. They are committed, because they rarely change and
 * browsers request them at fixed addresses.
 */
const folder = new URL('../site/public/', import.meta.url);
const logo = readFileSync(new URL('logo.svg', folder));
const ground = '#161714';

/** The logo in a square of `size`, filling `share` of it, on `background`. */
async function square(size: number, share: number, background: string): Promise<Buffer> {
  const inner = Math.round(size * share);
  const drawn = await sharp(logo, { density: 72 * Math.ceil(inner / 32) })
    .resize(inner, inner)
    .png()
    .toBuffer();
  return await sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: drawn }])
    .png({ compressionLevel: 9, palette: true, effort: 10 })
    .toBuffer();
}

/** A .ico file that contains one PNG. */
function ico(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon
  head.writeUInt16LE(1, 4); // one image
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const clear = '#00000000';
const files = {
  'favicon.ico': ico(await square(32, 1, clear), 32),
  'icon-192.png': await square(192, 0.94, clear),
  'icon-512.png': await square(512, 0.94, clear),
  'icon-maskable-512.png': await square(512, 0.6, ground),
  'apple-touch-icon.png': await square(180, 0.74, ground),
};
for (const [name, bytes] of Object.entries(files)) writeFileSync(new URL(name, folder), bytes);
