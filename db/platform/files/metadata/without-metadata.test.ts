import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { processGallery, processIcon, processTextImage } from '../image.ts';
import { withoutMetadata } from './without-metadata.ts';

const secret = 'at our garden gate';
const place = {
  IFD0: { ImageDescription: secret, Model: 'A camera' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 26/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '7/1 0/1 1/1',
  },
};
const photo = (): Sharp =>
  sharp({
    create: {
      width: 60,
      height: 40,
      channels: 3,
      background: '#336699',
      noise: { type: 'gaussian', mean: 99, sigma: 30 },
    },
  }).withIccProfile('p3');
const formats = [
  ['jpg', (picture: Sharp) => picture.jpeg({ progressive: true })],
  ['png', (picture: Sharp) => picture.png()],
  ['webp', (picture: Sharp) => picture.webp()],
] as const;
const pixels = async (bytes: Uint8Array) => await sharp(bytes).autoOrient().raw().toBuffer();

describe('what a photo says of the place where it was made', () => {
  test.each(formats)(
    'is not in the stored original of a %s; pixels and colours are as they were',
    async (format, save) => {
      const sent = await save(photo().withExif(place)).toBuffer();
      expect((await sharp(sent).metadata()).exif?.includes(secret)).toBe(true);
      for (const process of [processGallery, processIcon, processTextImage]) {
        const { raw, copies } = await process(sent, format);
        const kept = await sharp(raw.bytes).metadata();
        expect([kept.exif, kept.xmp, kept.iptc]).toEqual([undefined, undefined, undefined]);
        for (const { bytes } of [raw, ...copies]) expect(Buffer.from(bytes).includes(secret)).toBe(false);
        expect(kept.icc).toEqual((await sharp(sent).metadata()).icc);
        expect((await pixels(raw.bytes)).equals(await pixels(sent))).toBe(true);
      }
    },
  );

  test.each(formats)('leaves how a %s is turned', async (format, save) => {
    const sent = await save(photo().withExif(place).withMetadata({ orientation: 6 })).toBuffer();
    const { raw } = await processGallery(sent, format);
    const kept = await sharp(raw.bytes).metadata();
    expect([kept.orientation, kept.exif!.length < 60, Buffer.from(raw.bytes).includes(secret)]).toEqual([
      6,
      true,
      false,
    ]);
    expect((await pixels(raw.bytes)).equals(await pixels(sent))).toBe(true);
  });

  test.each(formats)('is not behind the end of a %s either', async (format, save) => {
    const sent = Buffer.concat([await save(photo()).toBuffer(), Buffer.from(secret)]);
    expect(withoutMetadata(sent, format, 1).includes(secret)).toBe(false);
  });

  test('is no text of a PNG, and no comment of a JPEG or GIF', async () => {
    const text = Buffer.concat([Buffer.from('Comment\0'), Buffer.from(secret)]);
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('tEXt'), text, Buffer.alloc(4)]);
    chunk.writeUInt32BE(text.length);
    const png = await photo().png().toBuffer();
    const with_text = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
    expect(withoutMetadata(with_text, 'png', 1)).toEqual(withoutMetadata(png, 'png', 1));

    const jpeg = await photo().jpeg().toBuffer();
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, secret.length + 2]), Buffer.from(secret)]);
    const with_comment = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
    expect(withoutMetadata(with_comment, 'jpg', 1)).toEqual(withoutMetadata(jpeg, 'jpg', 1));

    const frames = await sharp(
      [photo().png(), photo().negate().png()].map(() => png),
      { join: { animated: true } },
    )
      .gif({ loop: 3, delay: [100, 100] })
      .toBuffer();
    const note = Buffer.concat([
      Buffer.from([0x21, 0xfe, secret.length]),
      Buffer.from(secret),
      Buffer.from([0]),
    ]);
    const until = frames.indexOf(Buffer.from([0x21, 0xff, 0x0b]));
    const with_note = Buffer.concat([frames.subarray(0, until), note, frames.subarray(until)]);
    const kept = withoutMetadata(with_note, 'gif', 1);
    expect(kept.includes(secret)).toBe(false);
    expect(await sharp(kept, { animated: true }).metadata()).toMatchObject({ loop: 3 });
  });

  test('does not change a picture that says nothing', async () => {
    for (const [format, save] of formats) {
      const sent = await save(photo()).toBuffer();
      const once = withoutMetadata(sent, format, 1);
      expect(withoutMetadata(once, format, 1)).toEqual(once);
      expect((await pixels(once)).equals(await pixels(sent))).toBe(true);
    }
  });
});
