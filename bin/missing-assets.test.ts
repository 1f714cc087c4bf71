import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { missingAssets } from './missing-assets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'built-'));
  file('client/_astro/there.A1_b-c.css', 'a{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

it('names no asset of a folder that has them all', () => {
  file('server/chunks/page.mjs', 'const style = "/_astro/there.A1_b-c.css";');
  expect(missingAssets(folder)).toEqual([]);
});

it.each([
  ['server/chunks/page.mjs', 'const style = "/_astro/gone.css";', 'gone.css'],
  ['pages/en-US/legal.html', '<script type="module" src="/_astro/gone.D3.js">', 'gone.D3.js'],
  ['client/_astro/there.js', 'import("/_astro/gone.js")', 'gone.js'],
  ['client/_astro/other.css', 'a{background:url(/_astro/gone.svg)}', 'gone.svg'],
])('finds what %s names and nobody has', (path, text, name) => {
  file(path, text);
  expect(missingAssets(folder)).toEqual([`/_astro/${name}, named by ${path}`]);
});
