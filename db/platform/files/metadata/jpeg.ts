import { orientationOnly } from './orientation.ts';

const soi = 0xd8;
const eoi = 0xd9;
const sos = 0xda;
const comment = 0xfe;
/** More than any picture has. */
const max_segments = 10_000;
/** Markers without a length. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const isApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef;

/** JFIF, colour profiles, and how Adobe coded the colours: without them the picture looks different. */
const staying = (marker: number, content: Buffer): boolean =>
  marker === 0xe0 ||
  marker === 0xee ||
  (marker === 0xe2 && content.toString('latin1', 0, 12) === 'ICC_PROFILE\0');

/**
 * A JPEG without Exif, XMP, IPTC, comments, and what comes after its end (a second picture has metadata of its own); how it
 * is turned stays. Throws for what is no JPEG.
 */
export function jpegWithoutMetadata(bytes: Buffer, orientation: number): Buffer {
  if (bytes[0] !== 0xff || bytes[1] !== soi) throw new Error('no JPEG');
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  if (orientation > 1) kept.push(exif(orientation));
  let at = 2;
  let scanned = false;
  for (let segments = 0; segments < max_segments; segments += 1) {
    if (scanned && at >= bytes.length) return Buffer.concat(kept); // cut off, as decoders allow
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1; // padding
    const marker = bytes[at] === 0xff ? bytes[at + 1] : undefined;
    if (marker === undefined) throw new Error('no marker');
    if (marker === eoi) return Buffer.concat([...kept, bytes.subarray(at, at + 2)]);
    const end = isBare(marker) ? at + 2 : at + 2 + bytes.readUInt16BE(at + 2);
    const next = marker === sos ? afterScan(bytes, end) : end;
    const drops =
      marker === comment || (isApplication(marker) && !staying(marker, bytes.subarray(at + 4, end)));
    if (!drops) kept.push(bytes.subarray(at, next));
    scanned ||= marker === sos;
    at = next;
  }
  throw new Error('too many segments');
}

/** Where the coded pixels that begin at `at` end: at a marker that is none of theirs. */
function afterScan(bytes: Buffer, at: number): number {
  for (let found = at; found + 1 < bytes.length; found += 1) {
    if (bytes[found] !== 0xff) continue;
    const marker = bytes[found + 1]!;
    if (marker !== 0 && marker !== 0xff && !isBare(marker)) return found;
  }
  return bytes.length;
}

function exif(orientation: number): Buffer {
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationOnly(orientation)]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
