import { orientationOnly } from './orientation.ts';

const staying = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const exif_flag = 0x08;
const xmp_flag = 0x04;
const head_bytes = 12;
/** More than any animation has. */
const max_chunks = 50_000;

/**
 * A WebP picture without Exif, XMP, chunks that nobody knows, and what comes after its end; how it is turned stays. Throws when
 * it is no WebP from its beginning to its end.
 */
export function webpWithoutMetadata(bytes: Buffer, orientation: number): Buffer {
  const until = 8 + bytes.readUInt32LE(4);
  if (until > bytes.length) throw new Error('it ends before it should');
  const kept: Buffer[] = [];
  let extended = false;
  for (let at = head_bytes; at + 8 <= until; ) {
    if (kept.length === max_chunks) throw new Error('too many chunks');
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (at + 8 + size > until) throw new Error('a chunk ends after the file');
    const name = bytes.toString('latin1', at, at + 4);
    if (staying.has(name)) {
      const content = Buffer.from(bytes.subarray(at, Math.min(end, bytes.length)));
      if (name === 'VP8X') {
        extended = true;
        content[8]! &= ~(exif_flag | xmp_flag);
        if (orientation > 1) content[8]! |= exif_flag;
      }
      kept.push(content);
    }
    at = end;
  }
  // only the extended form may hold how a picture is turned
  if (extended && orientation > 1) kept.push(chunk('EXIF', orientationOnly(orientation)));
  const head = Buffer.from(bytes.subarray(0, head_bytes));
  head.writeUInt32LE(4 + kept.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...kept]);
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
