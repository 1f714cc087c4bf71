import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { root } from './install.mjs';

/**
 * Makes the text font of the site from the package `@fontsource-variable/inter`: Latin letters, the weights that the
 * site uses, and tabular figures. Run `node bin/subset-fonts.mjs` after an update of the package and commit the result.
 */
const source = join(root, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
const target = join(root, 'site/platform/ui/fonts/inter-latin.woff2');

const range = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
const letters = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’‚“”„†•…‹›€™−`;

const font = await subsetFont(readFileSync(source), letters, {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 } },
  keepFeatures: ['kern', 'tnum', 'ccmp', 'locl', 'mark', 'case'],
});
writeFileSync(target, font);
console.log(`${target}: ${font.length} bytes`);
