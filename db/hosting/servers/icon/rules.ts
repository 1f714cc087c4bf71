import type { RefusalCode } from '../../../platform/errors.ts';

/** The picture of a server in the lists of players: a PNG of 64 x 64 in the server's folder. */

export const icon_path = 'server-icon.png';
export const icon_px = 64;
/** More than a picture of this size needs without compression. */
export const max_icon_bytes = 24 * 1024;

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Width and height that a PNG says it has; null when the bytes are none. The specification of PNG has them at §11.2.2. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (bytes.length < 33 || signature.some((byte, at) => bytes[at] !== byte)) return null;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return data.getUint32(12) === 0x49484452 ? { width: data.getUint32(16), height: data.getUint32(20) } : null;
}

/** Why the game would not show this picture, or null. */
export function whyNotIcon(bytes: Uint8Array): RefusalCode | null {
  const size = pngSize(bytes);
  const fits = size?.width === icon_px && size.height === icon_px && bytes.length <= max_icon_bytes;
  return fits ? null : 'server_icon_invalid';
}
