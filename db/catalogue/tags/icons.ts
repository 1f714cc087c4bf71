import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { categories, loaders } from './rules.ts';

const require = createRequire(import.meta.url);

/** The lucide icon `name` as one line of SVG without classes, coloured by `currentColor`. */
function drawing(name: string): string {
  const svg = readFileSync(require.resolve(`lucide-static/icons/${name}.svg`), 'utf8');
  return svg
    .replace(/<!--.*?-->/gs, '')
    .replace(/\s+class="[^"]*"/, '')
    .replace(/\s+/g, ' ')
    .replace(/> </g, '><')
    .replace(/ (\/?)>/g, '$1>')
    .trim();
}

const names = new Set([...categories, ...loaders].map(({ icon }) => icon));
const drawings = new Map([...names].map((name) => [name, drawing(name)]));

/** The SVG of a tag's `icon`, read once when this module loads. For servers: islands get it as a prop. */
export const svgOf = (icon: string): string => drawings.get(icon) ?? '';
