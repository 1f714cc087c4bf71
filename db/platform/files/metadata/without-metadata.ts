import type { ImageExtension } from '../rules.ts';
import { gifWithoutMetadata } from './gif.ts';
import { jpegWithoutMetadata } from './jpeg.ts';
import { pngWithoutMetadata } from './png.ts';
import { webpWithoutMetadata } from './webp.ts';

/**
 * A picture without what it says beside its pixels: the place and time of a photo, its camera, comments, previews. Pixels,
 * colour profile and animation stay byte by byte, and how it is turned (`orientation`, 1 to 8). Throws for a file that is
 * not whole; bmp has no metadata.
 */
export function withoutMetadata(bytes: Buffer, format: ImageExtension, orientation: number): Buffer {
  switch (format) {
    case 'jpg':
    case 'jpeg':
      return jpegWithoutMetadata(bytes, orientation);
    case 'png':
      return pngWithoutMetadata(bytes, orientation);
    case 'webp':
      return webpWithoutMetadata(bytes, orientation);
    case 'gif':
      return gifWithoutMetadata(bytes);
    default:
      return bytes;
  }
}
