import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Storage } from '../platform/storage/storage.ts';
import { storeGalleries } from './images.ts';
import { planned } from './plan.ts';

const plans = planned();
/** The first picture of each kind, small, as if one project had them all. */
const pictures = [
  ...new Map(
    plans.flatMap((plan) => plan.pictures).map((picture) => [picture.kind, { ...picture, width: 320 }]),
  ).values(),
];

it('draws every kind of picture, each another drawing', async () => {
  const stored = new Map<string, Uint8Array>();
  const storage = { putBytes: async (key: string, bytes: Uint8Array) => stored.set(key, bytes) };
  const [drawn] = (
    await storeGalleries(storage as unknown as Storage, [{ ...plans[0]!, pictures }])
  ).values();

  expect(drawn!.map(({ kind }) => kind)).toEqual(pictures.map(({ kind }) => kind));
  expect(new Set(drawn!.map(({ picture }) => picture.raw_key)).size).toBe(pictures.length);
  for (const { kind, picture } of drawn!) {
    const { channels } = await sharp(stored.get(picture.raw_key)).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev)), `${kind} is one colour`).toBeGreaterThan(5);
  }
});
