import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openFonts } from './fonts.ts';
import { type Style, textRenderer } from './text-renderer.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-fonts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { letters, drawable } = textRenderer(await openFonts(folder));
const room: Style = { weight: 'Bold', color: '#ffffff', sizes: [60, 40], width: 600, height: 100 };

test('a text gets the largest size that fits', async () => {
  const [short, longer] = [
    await letters('Cairn', room),
    await letters('Cairn of many stones, by the way', room),
  ];
  expect(short!.height).toBeGreaterThan(38);
  expect(longer!.width).toBeLessThanOrEqual(600);
  expect(longer!.height).toBeLessThanOrEqual(100);
});

test.each(['many words '.repeat(60), 'x'.repeat(400), 'Ω'.repeat(400), 'a\u0301'.repeat(300)])(
  'a text that is too long is truncated: %j',
  async (text) => {
    const one = await letters(text, room);
    expect(one!.width).toBeGreaterThan(300);
    expect(one!.width).toBeLessThanOrEqual(600);
    expect(one!.height).toBeLessThanOrEqual(100);
  },
);

test('special characters and markup are plain text', async () => {
  expect(await drawable('<b>&amp;\u202e</span>\u0000')).toBe('<b>&amp;</span>');
  expect(await letters('<b>&amp;</span>', room)).not.toBeNull();
});

test('our font has all its letters, and characters without a font are removed', async () => {
  expect(await drawable('Łódź Việt Nam Ünïcode')).toBe('Łódź Việt Nam Ünïcode');
  expect(await drawable('stone \u{4abcd}\u0378 cairn')).toBe('stone cairn');
  expect(await drawable('\u{4abcd}\u{4abce}\u{4abcf} x')).toBe('x'); // unassigned code points
  expect(await drawable('\u0378')).toBeNull();
  expect(await letters('', room)).toBeNull();
});
