import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { defaultLanguage } from '../../platform/text/languages.ts';
import { manifest } from './manifest.ts';

const file = (src: string) => readFileSync(new URL(`../../public${src}`, import.meta.url));

test('every icon of the manifest exists in its declared size', async () => {
  const requested = { language: defaultLanguage, messages: messages('en-US') } as never;
  const made = await manifest(requested);
  const { icons } = JSON.parse((made as { body: string }).body) as {
    icons: Array<{ src: string; sizes: string; purpose: string }>;
  };
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable');
  for (const { src, sizes } of icons) {
    const { format, width, height } = await sharp(file(src)).metadata();
    if (sizes === 'any') expect([src, format]).toEqual([src, 'svg']);
    else expect([src, format, `${width}x${height}`]).toEqual([src, 'png', sizes]);
  }
});

test('favicon.ico is an icon file', async () => {
  const bytes = file('/favicon.ico');
  expect(bytes.readUInt16LE(2)).toBe(1);
  const { format, width } = await sharp(bytes.subarray(bytes.readUInt32LE(18))).metadata();
  expect([format, width]).toEqual(['png', 32]);
});
