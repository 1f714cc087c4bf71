import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Cursor } from '../../events/read.ts';
import type { Numbers, Sections } from './sections.ts';

/**
 * One segment is one file: 8 bytes of magic, the number of this layout, where the sections begin, the crc32 of the
 * header (all 32 bits, little endian), the header as JSON with spaces behind it, then the sections. Everything begins
 * at a multiple of 64 bytes; a checksum covers the padding too, so no bit of the file is without one.
 * Source: search §4 (Snapshot).
 */
export const magic = Buffer.from('CAIRNSEG');
export const layout = 1;
export const header_bytes = 20;
const aligned = (length: number): number => Math.ceil(length / 64) * 64;

/** How long a file is and its checksum. */
export interface Extent {
  length: number;
  crc32: number;
}

/** What a segment says of itself. */
export interface Facts {
  /** Fingerprint of the code that can read it. */
  format: string;
  generation: number;
  /** Which installation's catalogue it holds. */
  origin: string;
  /** Every event up to here is in it. */
  cursor: Cursor;
  documents: number;
  /** unix milliseconds */
  built: number;
  took_ms: number;
  bodies: Extent;
}

/** Where a section lies, counted from the begin of the first; `size` is its length with padding, in bytes. */
export interface SectionLocation {
  name: string;
  type: string;
  offset: number;
  length: number;
  size: number;
  crc32: number;
}

export interface Header {
  facts: Facts;
  places: SectionLocation[];
}

/** Checksum of a header: of all its bytes but the four that hold it. */
export const headerSum = (header: Uint8Array): number =>
  crc32(header.subarray(header_bytes), crc32(header.subarray(0, header_bytes - 4)));

/** Writes all of `bytes`, which the system may take in pieces. */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
const paddingOf = (length: number): Uint8Array => new Uint8Array(aligned(length) - length);

function locationsOf(sections: Sections): SectionLocation[] {
  let offset = 0;
  return [...sections].map(([name, numbers]) => {
    const { byteLength: length } = numbers;
    const location = { name, type: numbers.constructor.name, offset, length, size: aligned(length) };
    offset += location.size;
    return { ...location, crc32: crc32(paddingOf(length), crc32(bytesOf(numbers))) };
  });
}

function headerBytes(header: Header): Uint8Array {
  const json = Buffer.from(JSON.stringify(header));
  const bytes = Buffer.alloc(aligned(header_bytes + json.length), ' ');
  magic.copy(bytes);
  bytes.writeUInt32LE(layout, 8);
  bytes.writeUInt32LE(bytes.length, 12);
  json.copy(bytes, header_bytes);
  bytes.writeUInt32LE(headerSum(bytes), 16);
  return bytes;
}

/** Writes a new file at `path` and waits until the disk has it. Gives its length in bytes. */
export function writeSegment(path: string, facts: Facts, sections: Sections): number {
  const locations = locationsOf(sections);
  const header = headerBytes({ facts, places: locations });
  const file = openSync(path, 'wx');
  try {
    writeWhole(file, header);
    for (const numbers of sections.values()) {
      writeWhole(file, bytesOf(numbers));
      writeWhole(file, paddingOf(numbers.byteLength));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return locations.reduce((length, { size }) => length + size, header.length);
}
