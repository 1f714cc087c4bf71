import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lineStyle, most_lines, otherStyle } from './line-style.ts';

const styles = Array.from({ length: most_lines }, (_, place) => lineStyle(place));

it('no two lines of a chart look alike', () => {
  const looks = [...styles, otherStyle].map(({ color, dash }) => `${color} ${dash.join(' ')}`);
  expect(new Set(looks).size).toBe(most_lines + 1);
});

it('the first six differ in color and in dash', () => {
  expect(new Set(styles.slice(0, 6).map(({ color }) => color)).size).toBe(6);
  expect(new Set(styles.slice(0, 6).map(({ dash }) => dash.join())).size).toBe(6);
});

it('every color is a token of every theme', () => {
  const tokens = readFileSync(new URL('../../platform/ui/css/tokens.css', import.meta.url), 'utf8');
  const themes = tokens.match(/--bg:/g)!.length;
  for (const { color } of [...styles, otherStyle])
    expect(tokens.match(new RegExp(`^\\s+${color}:`, 'gm'))?.length, color).toBeGreaterThanOrEqual(themes);
});
