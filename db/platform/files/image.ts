import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { Refused } from '../errors.ts';
import { aside } from '../runtime/aside.ts';
import { ConcurrencyLimiter } from '../runtime/concurrency.ts';
import type { Bitmap, decodeBitmap } from './bitmap.ts';
import { copyWidths } from './image-copies.ts';
import { withoutMetadata } from './metadata/without-metadata.ts';
import type { ImageExtension } from './rules.ts';

interface ImageFile {
  /** What its key ends with. */
  suffix: string;
  bytes: Uint8Array;
}
export interface ProcessedImage {
  /** The original without its metadata (`withoutMetadata`); the suffix is the extension of its real format. */
  raw: ImageFile;
  /** Resized copies, the smallest first (`copyWidths`); none when the smallest would be larger than the original. */
  copies: ImageFile[];
}

/** How often the height of a banner fits in its width. */
const bannerAspect = 4;

/** Limits checked in the header before decoding: a few bytes can declare any number of pixels. */
const imageLimits = { side_px: 8192, pixels: 25_000_000, bmp_pixels: 4_000_000 } as const;

/** Decoding uses the thread pool that file I/O and password hashing also need, and up to 100 MB each. */
const limiter = new ConcurrencyLimiter({ max_running: 2, max_waiting: 100, timeout_ms: 20_000 });

/**
 * An icon: its copies are at most as high as wide; with its dominant colour as 24-bit int. `ext` is the client's
 * extension; the real format is detected from the content. Refuses `invalid_image` and, when too many wait, `busy`.
 * Source: api-v2 §1.8; api-behaviours §15.
 */
export async function processIcon(
  bytes: Uint8Array,
  _ext: string,
): Promise<ProcessedImage & { color: number }> {
  return await decoded(async () => {
    const picture = await opened(bytes);
    const { format, open } = picture;
    const copies = format === 'gif' ? [] : await resized(picture, copyWidths.icon, { aspect: 1 });
    return { ...encoded(picture, copies), color: await dominant(open()) };
  });
}

/** A gallery image with its copies. Refuses like `processIcon`. Source: api-v2 §1.8. */
export const processGallery = (bytes: Uint8Array, _ext: string): Promise<ProcessedImage> =>
  inFullHeight(bytes, copyWidths.gallery);

/**
 * A banner: its copies are at most a quarter as high as wide, and show the first moment of one with movement. Refuses like
 * `processIcon`.
 */
export async function processBanner(bytes: Uint8Array, _ext: string): Promise<ProcessedImage> {
  return await decoded(async () => {
    const picture = await opened(bytes);
    return encoded(picture, await resized(picture, copyWidths.banner, { aspect: bannerAspect }));
  });
}

/** An image of a text with its copy. Refuses like `processIcon`. Source: api-v2 §1.8; api-behaviours §15. */
export const processTextImage = (bytes: Uint8Array): Promise<ProcessedImage> =>
  inFullHeight(bytes, copyWidths.text);

/** A stored icon as a PNG of at most 256 pixels, for programs that read nothing else. Refuses like `processIcon`. */
export const iconAsPng = (bytes: Uint8Array): Promise<Buffer> =>
  decoded(async () => {
    const { open } = await opened(bytes);
    return await open().resize(256, 256, { fit: 'inside', withoutEnlargement: true }).png().toBuffer();
  });

async function inFullHeight(bytes: Uint8Array, widths: readonly number[]): Promise<ProcessedImage> {
  return await decoded(async () => {
    const picture = await opened(bytes);
    const { format, open } = picture;
    if (format === 'gif') await open().stats(); // decoding it is the whole check
    const copies = format === 'gif' ? [] : await resized(picture, widths);
    return encoded(picture, copies);
  });
}

function encoded({ bytes: sent, format, orientation }: Opened, copies: ImageFile[]): ProcessedImage {
  const bytes = withoutMetadata(sent, format, orientation);
  return {
    raw: { suffix: `.${format}`, bytes },
    copies: copies[0] && copies[0].bytes.length < bytes.length ? copies : [],
  };
}

/** Runs `work` under the concurrency limit. Any decoder error becomes one refusal. */
async function decoded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await limiter.run(work);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw invalid('it is damaged. Save it again as PNG, JPEG or WebP');
  }
}

const invalid = (problem: string) => new Refused('invalid_image', { problem });

/** Detects the format from the first bytes; never pass anything else (SVG, PDF ...) to a decoder. */
function formatOf(bytes: Buffer): ImageExtension | null {
  const begins = (text: string, at = 0) =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  if (begins('\x89PNG\r\n\x1a\n')) return 'png';
  if (begins('\xff\xd8\xff')) return 'jpg';
  if (begins('RIFF') && begins('WEBP', 8)) return 'webp';
  if (begins('GIF87a') || begins('GIF89a')) return 'gif';
  return begins('BM') ? 'bmp' : null;
}

/** An image whose header is within limits; `width` and `height` as displayed. */
interface Opened {
  bytes: Buffer;
  format: ImageExtension;
  /** How it is turned, as Exif counts: 1 for not at all. */
  orientation: number;
  width: number;
  height: number;
  open(): Sharp;
}

async function opened(bytes: Uint8Array): Promise<Opened> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(buffer);
  if (!format) throw invalid('its bytes are none of bmp, gif, jpeg, png, webp');
  if (format === 'bmp') {
    const raw = await bitmap(buffer);
    const { width, height } = raw;
    const open = () => sharp(raw.data, { raw }).timeout({ seconds: 10 });
    return { bytes: buffer, format, orientation: 1, width, height, open };
  }
  // checked here before decoding; the library's own limit covers what a decoder finds beyond the header
  const options = { limitInputPixels: imageLimits.pixels, failOn: 'error', sequentialRead: true } as const;
  const { autoOrient, orientation = 1 } = await sharp(buffer, {
    ...options,
    limitInputPixels: false,
  }).metadata();
  assertBounds(autoOrient.width, autoOrient.height, imageLimits.pixels);
  return {
    ...{ bytes: buffer, format, orientation, ...autoOrient },
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

/** sharp cannot read BMP. Its few header bytes are checked first, because the decoder trusts them. */
async function bitmap(bytes: Buffer): Promise<Bitmap> {
  assertBounds(bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22)), imageLimits.bmp_pixels);
  const found = await decodeAside(bytes);
  if (!found) throw new Error('a damaged BMP');
  return found;
}

/** Its decoder needs seconds for the largest, and is no thread of a library as those of the others are. */
const decodeAside = aside<Uint8Array, ReturnType<typeof decodeBitmap>>({
  module: new URL('./bitmap.ts', import.meta.url),
  name: 'decodeBitmap',
  limit_ms: 15_000,
});

/**
 * WebP copies of these widths, or of the original's if that is smaller; what is higher than its width by `aspect` is cropped to the centre. The original is
 * decoded once, in one pipeline, so that no step holds all its pixels; the copies are made from the largest.
 */
async function resized(
  { open, width: from_width, height }: Opened,
  widths: readonly number[],
  { aspect }: { aspect?: number } = {},
): Promise<ImageFile[]> {
  const width = Math.min(widths.at(-1)!, from_width);
  const highest = aspect ? Math.max(1, Math.floor(from_width / aspect)) : height;
  const size =
    aspect && height > highest
      ? { width, height: Math.max(1, Math.floor(width / aspect)), fit: 'cover' as const }
      : { width };
  const largest = await open().resize(size).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return await copiesFrom(largest, widths);
}

/** WebP copies of these widths of an image that is decoded already; `quick` ones are larger and a little less fine. */
export const copiesFrom = (
  { data, info }: { data: Buffer; info: OutputInfo },
  widths: readonly number[],
  { quick = false } = {},
): Promise<ImageFile[]> =>
  Promise.all(
    widths.map(async (width) => ({
      suffix: `_${width}.webp`,
      bytes: await sharp(data, { raw: info })
        .resize({ width: Math.min(width, info.width), kernel: quick ? 'linear' : 'lanczos3' })
        .webp({ quality: 75, effort: quick ? 0 : 4 })
        .toBuffer(),
    })),
  );

/** The most common colour of the visible pixels, by sixteenths of each channel, averaged. */
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
