import { crc32 } from 'node:zlib';
import { orientationOnly } from './orientation.ts';

/** Pixels, colours, transparency and animation; everything else describes. */
const staying = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);
const signature_bytes = 8;
/** More than any picture has. */
const max_chunks = 50_000;

/**
 * A PNG without Exif, texts, times, chunks that nobody knows, and what comes after its end; how it is turned stays. Throws when
 * it is no PNG from its beginning to its end.
 */
export function pngWithoutMetadata(bytes: Buffer, orientation: number): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, signature_bytes)];
  let at = signature_bytes;
  for (let chunks = 0; chunks < max_chunks; chunks += 1) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new Error('a chunk ends after the file');
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (staying.has(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IHDR' && orientation > 1) kept.push(chunk('eXIf', orientationOnly(orientation)));
    if (name === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  throw new Error('too many chunks');
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
