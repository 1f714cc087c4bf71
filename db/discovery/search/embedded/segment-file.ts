import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Cursor } from '../../../platform/events/read.ts';
import type { Numbers, Sections } from './sections.ts';

/**
 * One segment is one file: 8 bytes of magic, the layout version, the offset of the sections, the crc32 of the header
 * (all 32 bits, little endian), the header as JSON padded with spaces, then the sections. Everything is aligned to 64
 * bytes; checksums include the padding, so every bit is covered.
 * Source: search §4 (Snapshot).
 */
export const magic = Buffer.from('CAIRNSEG');
export const layout = 1;
export const header_bytes = 20;
const aligned = (length: number): number => Math.ceil(length / 64) * 64;

/** Length and checksum of a file. */
export interface Extent {
  length: number;
  crc32: number;
}

/** Header of a segment. */
export interface Facts {
  /** Fingerprint of the code that can read it. */
  format: string;
  generation: number;
  /** Id of the catalogue it contains. */
  origin: string;
  /** Every event up to here is included. */
  cursor: Cursor;
  documents: number;
  /** unix milliseconds */
  built: number;
  took_ms: number;
  bodies: Extent;
}

/** Offset of a section from the first one; `size` is its length with padding, in bytes. */
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

/** Checksum of a header without the four bytes that contain it. */
export const headerSum = (header: Uint8Array): number =>
  crc32(header.subarray(header_bytes), crc32(header.subarray(0, header_bytes - 4)));

/** Writes all of `bytes`; a single write may be partial. */
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

/** Writes a new file at `path` and flushes it to disk. Gives its length in bytes. */
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
