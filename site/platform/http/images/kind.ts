/** The image types that the proxy serves, by magic bytes. SVG is missing because it can contain scripts. */
export const imageTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
} as const;
export type ImageKind = keyof typeof imageTypes;

/** How many bytes `imageKind` needs. */
export const head_bytes = 32;

/** The image type by its magic bytes, whatever its name and server claim; null for anything else. */
export function imageKind(head: Uint8Array): ImageKind | null {
  const text = Buffer.from(head).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.slice(4, 8) === 'ftyp' && /^avi[fs]|avif/.test(text.slice(8))) return 'avif';
  if (text.startsWith('BM') && text.length >= 26 && text.slice(6, 10) === '\0\0\0\0') return 'bmp';
  return null;
}
