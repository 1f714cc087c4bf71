import { mkdirSync } from 'node:fs';
import sharp from 'sharp';

/**
 * Makes the two pictures of the README from those of `npm run gallery`: the first screenful of each, as small WebP.
 * `node e2e/readme.ts`
 */
const from = new URL('../.tmp/gallery/', import.meta.url);
const to = new URL('../docs/screens/', import.meta.url);
const pictures = {
  home: 'home--usual--desktop.png',
  project: 'mod-lanternroot--usual--desktop.png',
};

mkdirSync(to, { recursive: true });
for (const [name, file] of Object.entries(pictures)) {
  await sharp(new URL(file, from).pathname)
    .resize({ width: 1280, height: 860, fit: 'cover', position: 'top' })
    .webp({ quality: 82, effort: 6 })
    .toFile(new URL(`${name}.webp`, to).pathname);
}
