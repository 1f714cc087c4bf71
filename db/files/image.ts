import { decode } from 'bmp-ts';
import PQueue from 'p-queue';
import sharp, { type Sharp } from 'sharp';
import { Refused } from '../errors.ts';
import type { ImageExtension } from './rules.ts';

export interface ProcessedImage {
  /** As sent; the suffix is the extension of what it really is. */
  raw: { suffix: string; bytes: Uint8Array };
  /** The copy that is shown, null when it would not be smaller. */
  small: { suffix: string; bytes: Uint8Array } | null;
}

/** Bounds read from the header, before anything is decoded: a few bytes can announce any number of pixels. */
export const imageLimits = { side_px: 8192, pixels: 25_000_000, bmp_pixels: 4_000_000 } as const;

/** Pictures are decoded on the threads that files and passwords need too, and each takes up to 100 MB. */
const decoding = new PQueue({ concurrency: 2 });
const max_waiting = 100;

/**
 * An icon: 96 wide and at most as high as wide, with its dominant colour as 24-bit int. `ext` is what the client called
 * it; what counts is what the bytes are. Refuses `invalid_image` and, when too many wait, `busy`.
 * Source: api-v2 §1.8; api-behaviours §15.
 */
export async function processIcon(
  bytes: Uint8Array,
  _ext: string,
): Promise<ProcessedImage & { color: number }> {
  return await decoded(async () => {
    const picture = await opened(bytes);
    const { format, open } = picture;
    const small = format === 'gif' ? null : await thumbnail(picture, 96, { square: true });
    return { ...encoded(bytes, format, small, '_96.webp'), color: await dominant(open()) };
  });
}

/** A gallery picture: 350 wide. Refuses as `processIcon`. Source: api-v2 §1.8. */
export async function processGallery(bytes: Uint8Array, _ext: string): Promise<ProcessedImage> {
  return await decoded(async () => {
    const picture = await opened(bytes);
    const { format, open } = picture;
    if (format === 'gif') await open().stats(); // decodes it, which is all the check there is
    const small = format === 'gif' ? null : await thumbnail(picture, 350, { square: false });
    return encoded(bytes, format, small, '_350.webp');
  });
}

const encoded = (
  bytes: Uint8Array,
  format: ImageExtension,
  small: Buffer | null,
  suffix: string,
): ProcessedImage => ({
  raw: { suffix: `.${format}`, bytes },
  small: small && small.length < bytes.length ? { suffix, bytes: small } : null,
});

/** Runs `work` when its turn comes. Whatever the decoders say about hostile bytes is one refusal to the client. */
async function decoded<T>(work: () => Promise<T>): Promise<T> {
  if (decoding.size >= max_waiting) throw new Refused('busy');
  try {
    return await decoding.add(work);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw invalid('it is damaged. Save it again as PNG, JPEG or WebP');
  }
}

const invalid = (problem: string) => new Refused('invalid_image', { problem });

/** By their first bytes: never hand anything else (SVG, PDF ...) to a decoder. */
function formatOf(bytes: Buffer): ImageExtension | null {
  const begins = (text: string, at = 0) =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  if (begins('\x89PNG\r\n\x1a\n')) return 'png';
  if (begins('\xff\xd8\xff')) return 'jpg';
  if (begins('RIFF') && begins('WEBP', 8)) return 'webp';
  if (begins('GIF87a') || begins('GIF89a')) return 'gif';
  return begins('BM') ? 'bmp' : null;
}

/** A picture whose header is within bounds; `width` and `height` as it is displayed. */
interface Opened {
  format: ImageExtension;
  width: number;
  height: number;
  open(): Sharp;
}

async function opened(bytes: Uint8Array): Promise<Opened> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(buffer);
  if (!format) throw invalid('its bytes are none of bmp, gif, jpeg, png, webp');
  if (format === 'bmp') {
    const raw = bitmap(buffer);
    const { width, height } = raw;
    return { format, width, height, open: () => sharp(raw.data, { raw }).timeout({ seconds: 10 }) };
  }
  // the bounds are checked here; the library's own bound holds what a decoder finds beyond the header
  const options = { limitInputPixels: imageLimits.pixels, failOn: 'error', sequentialRead: true } as const;
  const { autoOrient } = await sharp(buffer, { ...options, limitInputPixels: false }).metadata();
  assertBounds(autoOrient.width, autoOrient.height, imageLimits.pixels);
  return {
    format,
    ...autoOrient,
    open: () => sharp(buffer, options).autoOrient().timeout({ seconds: 10 }),
  };
}

function assertBounds(width: number, height: number, max_pixels: number): void {
  const { side_px } = imageLimits;
  if (!(width > 0 && height > 0)) throw invalid('it has no pixels');
  if (width > side_px || height > side_px || width * height > max_pixels)
    throw invalid(
      `it has too many pixels: at most ${side_px} on a side and ${max_pixels / 1_000_000} million in all`,
    );
}

/** sharp reads no BMP. Its few header bytes are checked first, because the decoder believes them. */
function bitmap(bytes: Buffer): { data: Buffer; width: number; height: number; channels: 4 } {
  assertBounds(bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22)), imageLimits.bmp_pixels);
  const { data, width, height, bitPP } = decode(bytes, { toRGBA: true });
  if (bitPP !== 32) for (let i = 3; i < data.length; i += 4) data[i] = 255;
  return { data, width, height, channels: 4 };
}

/** A WebP copy at most `max_width` wide, `square` cut to its middle; one pipeline, so no step holds all pixels. */
async function thumbnail(
  { open, width: from_width, height }: Opened,
  max_width: number,
  { square }: { square: boolean },
): Promise<Buffer> {
  const width = Math.min(max_width, from_width);
  const size = square && height > from_width ? { width, height: width, fit: 'cover' as const } : { width };
  return await open().resize(size).ensureAlpha().webp({ quality: 75 }).toBuffer();
}

/** The commonest colour among the visible pixels, averaged over its sixteenth of each channel. */
async function dominant(image: Sharp): Promise<number> {
  const pixels = await image
    .resize(64, 64, { fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
  const bins = new Map<number, { count: number; r: number; g: number; b: number }>();
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b, alpha] = pixels.subarray(i, i + 4) as unknown as [number, number, number, number];
    if (alpha < 128) continue;
    const key = ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4);
    const bin = bins.get(key) ?? { count: 0, r: 0, g: 0, b: 0 };
    bins.set(key, { count: bin.count + 1, r: bin.r + r, g: bin.g + g, b: bin.b + b });
  }
  const most_frequent = [...bins.values()].reduce((a, b) => (b.count > a.count ? b : a), {
    count: 1,
    r: 0,
    g: 0,
    b: 0,
  });
  const [r, g, b] = [most_frequent.r, most_frequent.g, most_frequent.b].map((sum) =>
    Math.round(sum / most_frequent.count),
  ) as [number, number, number];
  return (r << 16) | (g << 8) | b;
}
