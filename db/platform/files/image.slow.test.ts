import { encode } from 'bmp-ts';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/soak.ts';
import { Refused } from '../errors.ts';
import { processGallery, processIcon } from './image.ts';

const red = { r: 200, g: 30, b: 40 };
/** Noise compresses badly, so that a resized copy is worth storing. */
const noisy = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: red,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: red } });
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height, format } = await sharp(bytes).metadata();
  return { width, height, format };
};

test.each([
  ['png', noisy(300, 200).png()],
  ['jpg', noisy(300, 200).jpeg({ quality: 100 })],
  ['webp', noisy(300, 200).webp({ quality: 100 })],
])('creates WebP copies, the smallest 96 wide, of an icon in %s', async (suffix, image) => {
  const bytes = await image.toBuffer();
  const { raw, copies } = await processIcon(bytes, suffix);
  expect(raw).toEqual({ suffix: `.${suffix}`, bytes });
  expect(copies.map((copy) => copy.suffix)).toEqual(['_96.webp', '_256.webp', '_512.webp']);
  expect(copies[0]!.bytes.length).toBeLessThan(bytes.length);
  expect(await Promise.all(copies.map((copy) => sizeOf(copy.bytes)))).toEqual([
    { width: 96, height: 64, format: 'webp' },
    { width: 256, height: 171, format: 'webp' },
    { width: 300, height: 200, format: 'webp' }, // never enlarged
  ]);
});

test('creates copies of a gallery image for screens with two and three times the pixels', async () => {
  const { copies } = await processGallery(await noisy(1600, 900).jpeg().toBuffer(), 'jpg');
  expect(await Promise.all(copies.map((copy) => sizeOf(copy.bytes)))).toMatchObject([
    { width: 350, height: 197 },
    { width: 700, height: 394 },
    { width: 1050, height: 591 },
  ]);
});

test('crops a tall icon to a square, but not a tall gallery image', async () => {
  const bytes = await noisy(400, 1200).png().toBuffer();
  expect(await sizeOf((await processIcon(bytes, 'png')).copies[0]!.bytes)).toMatchObject({
    width: 96,
    height: 96,
  });
  expect(await sizeOf((await processGallery(bytes, 'png')).copies[0]!.bytes)).toMatchObject({
    width: 350,
    height: 1050,
  });
});

test('drops copies that are not smaller, and never enlarges', async () => {
  const tiny = await plain(16, 16).png().toBuffer();
  const [small] = (await processIcon(tiny, 'png')).copies;
  if (small) expect(small.bytes.length).toBeLessThan(tiny.length);
  expect(
    await sizeOf((await processIcon(await noisy(40, 30).png().toBuffer(), 'png')).copies[0]!.bytes),
  ).toMatchObject({ width: 40, height: 30 });
  const webp = await plain(96, 96).webp({ quality: 1 }).toBuffer();
  expect((await processIcon(webp, 'webp')).copies).toEqual([]);
});

test('rotates a photograph according to its EXIF orientation', async () => {
  const bytes = await noisy(400, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  expect(await sizeOf((await processGallery(bytes, 'jpg')).copies[0]!.bytes)).toMatchObject({
    width: 200,
    height: 400,
  });
});

test('keeps a gif unchanged', async () => {
  const bytes = await noisy(300, 300).gif().toBuffer();
  for (const process of [processIcon, processGallery]) {
    expect(await process(bytes, 'gif')).toMatchObject({ raw: { suffix: '.gif' }, copies: [] });
  }
});

test('reads a bitmap with correct orientation and colours', async () => {
  const { data, info } = await plain(200, 100).raw().toBuffer({ resolveWithObject: true });
  const abgr = Buffer.alloc(data.length);
  for (let i = 0; i < data.length; i += 4) abgr.set([255, data[i + 2]!, data[i + 1]!, data[i]!], i);
  const bytes = encode({ data: abgr, width: info.width, height: info.height, bitPP: 24 }).data;
  const { raw, copies, color } = await processIcon(bytes, 'bmp');
  expect(raw.suffix).toBe('.bmp');
  expect(await sizeOf(copies[0]!.bytes)).toEqual({ width: 96, height: 48, format: 'webp' });
  expect(color).toBe(0xc81e28);
});

test('picks the most common visible colour', async () => {
  const half = await plain(60, 100).png().toBuffer();
  const blue = { r: 0, g: 0, b: 255, alpha: 1 };
  const mixed = await sharp({ create: { width: 100, height: 100, channels: 4, background: blue } })
    .composite([{ input: half, left: 0, top: 0 }])
    .png()
    .toBuffer();
  expect((await processIcon(mixed, 'png')).color).toBe(0xc81e28);
  const onGlass = await sharp({
    create: { width: 100, height: 100, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .composite([{ input: await plain(20, 20).png().toBuffer() }])
    .png()
    .toBuffer();
  const { color } = await processIcon(onGlass, 'png');
  expect(
    [color >> 16, (color >> 8) & 255, color & 255].map(
      (channel, i) => Math.abs(channel - [200, 30, 40][i]!) < 12,
    ),
  ).toEqual([true, true, true]);
  const glass = await sharp({
    create: { width: 9, height: 9, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
  expect((await processIcon(glass, 'png')).color).toBe(0);
});

test('detects the format from the content, not from the name', async () => {
  expect((await processIcon(await noisy(200, 200).png().toBuffer(), 'jpg')).raw.suffix).toBe('.png');
});

/** A PNG that declares a width and height its few bytes do not have. */
const bomb = async (width: number, height: number) => {
  const bytes = Buffer.from(await plain(10, 10).png().toBuffer());
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  const { crc32 } = await import('node:zlib');
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
};

test.each<[string, () => Promise<Buffer> | Buffer]>([
  ['nothing', () => Buffer.alloc(0)],
  ['text', () => Buffer.from('hello')],
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a PDF', () => Buffer.from('%PDF-1.4')],
  ['the head of a PNG', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['half a PNG', async () => (await noisy(300, 300).png().toBuffer()).subarray(0, 20_000)],
  ['half a JPEG', async () => (await noisy(300, 300).jpeg().toBuffer()).subarray(0, 500)],
  ['half a GIF', async () => (await noisy(300, 300).gif().toBuffer()).subarray(0, 200)],
  ['a PNG of 10 000 megapixels', () => bomb(100_000, 100_000)],
  ['a PNG of 100 megapixels', () => bomb(10_000, 10_000)],
  [
    'a bitmap of 10 000 megapixels',
    () =>
      Buffer.from(`424d3a0000000000000036000000280000${'00a08601'}00a0860100010018${'00'.repeat(30)}`, 'hex'),
  ],
  ['a cut bitmap', () => Buffer.from('BM12')],
])('refuses %s as an image', async (_what, make) => {
  const bytes = await make();
  await expect(processIcon(bytes, 'png')).rejects.toMatchObject({ code: 'invalid_image' });
  await expect(processGallery(bytes, 'png')).rejects.toMatchObject({ code: 'invalid_image' });
});

test('processes or refuses damaged images, and never fails otherwise', { timeout: 60_000 }, async () => {
  const { data } = await plain(20, 20).raw().toBuffer({ resolveWithObject: true });
  const pictures = [
    await noisy(40, 40).png().toBuffer(),
    await noisy(40, 40).jpeg().toBuffer(),
    await noisy(40, 40).gif().toBuffer(),
    await noisy(40, 40).webp().toBuffer(),
    encode({ data, width: 20, height: 20, bitPP: 16 }).data,
    encode({ data, width: 20, height: 20, bitPP: 24 }).data,
  ];
  const damaged = fc
    .tuple(
      fc.constantFrom(...pictures),
      fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 255 })), { maxLength: 5 }),
    )
    .map(([bytes, flips]) => {
      const copy = Buffer.from(bytes);
      for (const [at, value] of flips) copy[at % copy.length] = value;
      return copy;
    });
  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      const result = await processIcon(bytes, 'png').then(
        () => 'processed',
        (error) => (error instanceof Refused ? error.code : String(error)),
      );
      expect(['processed', 'invalid_image']).toContain(result);
    }),
    { numRuns: propertyRuns(150) },
  );
});

/** A PNG of one bit per pixel in one colour: a few kilobytes whatever its size. */
const thin = async (width: number, height: number): Promise<Buffer> =>
  await sharp({ create: { width, height, channels: 3, background: 'white' } })
    .toColourspace('b-w')
    .png({ palette: true, colours: 2, compressionLevel: 9 })
    .toBuffer();

test.each([
  ['a long side', async () => await thin(96, 8193)],
  ['a very long side', async () => await bomb(96, 660_000)],
  ['a wide one', async () => await thin(8193, 96)],
  ['many pixels', async () => await thin(5001, 5000)],
  ['many pixels in a GIF', async () => await plain(8193, 2).gif().toBuffer()],
  ['many pixels in a WebP', async () => await plain(8200, 2).webp().toBuffer()],
  ['many pixels in a JPEG', async () => await plain(8193, 2).jpeg().toBuffer()],
])('refuses %s from its header', async (_, make) => {
  const bytes = await make();
  for (const process of [processIcon, processGallery])
    await expect(process(bytes, 'png')).rejects.toMatchObject({
      code: 'invalid_image',
      data: { problem: expect.stringContaining('too many pixels') },
    });
});

test('accepts an image of the maximum size', async () => {
  const bytes = await thin(3051, 8192);
  expect(await sizeOf((await processGallery(bytes, 'png')).raw.bytes)).toMatchObject({ height: 8192 });
});

test('decodes at most two images at once, and refuses when too many wait', async () => {
  const bytes = await noisy(64, 64).png().toBuffer();
  const all = await Promise.allSettled(Array.from({ length: 110 }, () => processIcon(bytes, 'png')));
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(refused).toEqual(Array.from({ length: 8 }, () => 'busy'));
});
