import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Numbers, Sections } from './sections.ts';
import {
  type Extent,
  type Facts,
  type Header,
  header_bytes,
  headerSum,
  layout,
  magic,
  type SectionLocation,
} from './segment-file.ts';

/** Why a file cannot be used, for the log. */
export class BadSegment extends Error {}

export interface Segment {
  facts: Facts;
  /** Views into one shared buffer. */
  sections: Sections;
  /** Length of the file. */
  bytes: number;
}

/** Chunk size: between two reads the thread answers pending messages. */
const piece = 4 * 1024 * 1024;
const largestHeader = 16 * 1024 * 1024;

type Kind = {
  new (of: SharedArrayBuffer, offset: number, length: number): Numbers;
  BYTES_PER_ELEMENT: number;
};
const kinds: Record<string, Kind> = {
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
};

/**
 * Reads a segment into one SharedArrayBuffer and verifies every byte. Throws `BadSegment` when the file is truncated,
 * modified, or has another layout or `format`.
 */
export async function readSegment(path: string, format: string): Promise<Segment> {
  const file = await open(path);
  try {
    const { header, begin, size } = await headerOf(file);
    if (header.facts.format !== format) throw new BadSegment('it is of another format');
    const shared = new SharedArrayBuffer(size - begin);
    for (const location of header.places) await readSection(file, shared, location, begin);
    const sections: Sections = new Map(
      header.places.map((location) => [location.name, view(shared, location)]),
    );
    return { facts: header.facts, sections, bytes: size };
  } finally {
    await file.close();
  }
}

/** The header of a segment, verified without its sections. Throws `BadSegment`. */
export async function factsOf(path: string): Promise<Facts & { bytes: number }> {
  const file = await open(path);
  try {
    const { header, size } = await headerOf(file);
    return { ...header.facts, bytes: size };
  } finally {
    await file.close();
  }
}

/** Reads an open file completely and throws `BadSegment` when it does not match `expected`. */
export async function checkFile(file: FileHandle, expected: Extent): Promise<void> {
  const { size } = await file.stat();
  if (size !== expected.length) throw new BadSegment('the file of stored hits has another length');
  const bytes = Buffer.allocUnsafe(Math.min(piece, size));
  let sum = 0;
  for (let at = 0; at < size; at += bytes.length) {
    const part = bytes.subarray(0, Math.min(bytes.length, size - at));
    await fill(file, part, at);
    sum = crc32(part, sum);
  }
  if (sum !== expected.crc32) throw new BadSegment('the file of stored hits is damaged');
}

async function headerOf(file: FileHandle): Promise<{ header: Header; begin: number; size: number }> {
  const { size } = await file.stat();
  const head = Buffer.alloc(header_bytes);
  await fill(file, head, 0);
  if (!head.subarray(0, magic.length).equals(magic)) throw new BadSegment('it is no search segment');
  if (head.readUInt32LE(8) !== layout) throw new BadSegment('it is of another layout');
  const begin = head.readUInt32LE(12);
  if (begin < header_bytes || begin > Math.min(size, largestHeader))
    throw new BadSegment('its header is cut');
  const bytes = Buffer.alloc(begin);
  await fill(file, bytes, 0);
  if (headerSum(bytes) !== bytes.readUInt32LE(16)) throw new BadSegment('its header is damaged');
  const header = JSON.parse(bytes.toString('utf8', header_bytes)) as Header;
  const length = header.places.reduce((sum, location) => sum + location.size, begin);
  if (length !== size) throw new BadSegment('it has another length than it says');
  return { header, begin, size };
}

async function readSection(
  file: FileHandle,
  to: SharedArrayBuffer,
  location: SectionLocation,
  begin: number,
): Promise<void> {
  let sum = 0;
  for (let at = 0; at < location.size; at += piece) {
    const part = new Uint8Array(to, location.offset + at, Math.min(piece, location.size - at));
    await fill(file, part, begin + location.offset + at);
    sum = crc32(part, sum);
  }
  if (sum !== location.crc32) throw new BadSegment(`its section ${location.name} is damaged`);
}

/** Fills `bytes` from `position` on. */
async function fill(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, position + at);
    if (bytesRead === 0) throw new BadSegment('it is cut');
    at += bytesRead;
  }
}

function view(shared: SharedArrayBuffer, { name, type, offset, length }: SectionLocation): Numbers {
  const Kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (!Kind) throw new BadSegment(`its section ${name} is of an unknown type`);
  return new Kind(shared, offset, length / Kind.BYTES_PER_ELEMENT);
}
