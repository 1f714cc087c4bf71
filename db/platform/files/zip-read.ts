import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, createInflateRaw, inflateRaw, inflateRawSync } from 'node:zlib';
import { Refused } from '../errors.ts';
import type { OpenBytes } from '../storage/storage.ts';
import type { ReadAt } from './buffered-reader.ts';
import type { ZipEntry } from './zip-entry.ts';

/** An open archive: `piece` for short reads, `bytes` for streamed entries. */
export interface Source {
  bytes: OpenBytes;
  readAt: ReadAt;
}

const inflate = promisify(inflateRaw) as (
  bytes: Buffer,
  options: { maxOutputLength: number },
) => Promise<Buffer>;
const inMemory = 1024 * 1024;
/** Inflated synchronously: below this size, the thread pool costs more than it saves. */
const tiny = 32 * 1024;

/**
 * Unpacks one entry and verifies it against the directory. Gives its content when `max_bytes` is a number (more
 * refuses `archive_expands_too_much`), else only verifies. Refuses `archive_unreadable` (no local header),
 * `archive_entry_size_wrong` (other size or checksum, damaged data).
 */
export async function unpack(
  { bytes: archive, readAt }: Source,
  entry: ZipEntry,
  { filename, max_bytes }: { filename: string; max_bytes: number | null },
): Promise<Buffer> {
  if (max_bytes !== null && entry.size > max_bytes) {
    throw new Refused('archive_expands_too_much', {
      filename,
      entry: entry.name,
      limit: `${max_bytes / 1024 / 1024} MB`,
    });
  }
  const wrong = () => new Refused('archive_entry_size_wrong', { filename, entry: entry.name });
  if (entry.packed === 0 && entry.size > 0) throw wrong();
  // deflate adds a few bytes per block to incompressible data; memory is allocated for the packed size
  if (max_bytes !== null && entry.packed > 2 * max_bytes) throw wrong();
  const start = await dataStart(readAt, entry, filename);
  if (entry.packed === 0) return Buffer.alloc(0);
  const small = entry.size <= inMemory && entry.packed <= inMemory;
  if (!small && max_bytes === null) {
    for await (const _ of checkedChunks(archive, entry, { filename, start })); // reads it to its end
    return Buffer.alloc(0);
  }
  const packed = await readAt(start, entry.packed);
  if (packed.length < entry.packed) throw new Refused('archive_unreadable', { filename });
  let bytes = packed;
  if (entry.deflated) {
    const options = { maxOutputLength: entry.size + 1 };
    try {
      bytes =
        Math.max(entry.size, entry.packed) <= tiny
          ? inflateRawSync(packed, options)
          : await inflate(packed, options);
    } catch {
      throw wrong(); // damaged, or larger than declared
    }
  }
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc32) throw wrong();
  return bytes;
}

/** The local header repeats the name and has its own extra fields; the data follows. */
async function dataStart(readAt: ReadAt, entry: ZipEntry, filename: string): Promise<number> {
  const header = await readAt(entry.offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== local_header)
    throw new Refused('archive_unreadable', { filename });
  return entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/**
 * Whether the local header of an entry says the same as the directory, and no header is between it and the next entry (or
 * before the first) that the directory leaves out: programs that read an archive from its beginning would see other files
 * otherwise. False also without a header.
 */
export async function headerAgrees(
  readAt: ReadAt,
  entry: ZipEntry,
  { end, isFirst }: { end: number; isFirst: boolean },
): Promise<boolean> {
  const header = await readAt(entry.offset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== local_header) return false;
  if (header.readUInt16LE(8) !== (entry.deflated ? 8 : 0)) return false;
  const length = header.readUInt16LE(26);
  if (length !== entry.name_bytes) return false;
  const extra = header.readUInt16LE(28);
  const comesLater = (header.readUInt16LE(6) & 8) !== 0;
  const [packed, size] = [header.readUInt32LE(18), header.readUInt32LE(22)];
  if (!(await readAt(entry.offset + 30, length)).equals(entry.raw_name)) return false;
  if (isFirst && (await hasHeader(readAt, 0, entry.offset))) return false;
  const after = entry.offset + 30 + length + extra + entry.packed;
  for (const more of comesLater ? descriptors : [0])
    if (await hasHeader(readAt, after + more, end)) return false;
  if (comesLater && packed === 0 && size === 0) return true;
  const isZip64 = packed === 0xffffffff || size === 0xffffffff;
  return isZip64 || (packed === entry.packed && size === entry.size);
}
const local_header = 0x04034b50;
/** Bytes that sizes and checksum take after the content, in their four forms. */
const descriptors = [0, 12, 16, 20, 24];

async function hasHeader(readAt: ReadAt, at: number, end: number): Promise<boolean> {
  if (at + 30 > end) return false;
  const start = await readAt(at, 4);
  return start.length === 4 && start.readUInt32LE() === local_header;
}

/** Packed bytes that are enough for the first of every entry. */
const head_bytes = 1024;

/** The first `length` unpacked bytes of an entry, fewer when it is shorter or damaged. */
export async function headOf(
  { readAt }: Source,
  entry: ZipEntry,
  filename: string,
  length: number,
): Promise<Buffer> {
  const start = await dataStart(readAt, entry, filename);
  const packed = await readAt(start, Math.min(entry.packed, head_bytes));
  if (!entry.deflated) return packed.subarray(0, length);
  try {
    // the rest of the stream is not there
    const bytes = inflateRawSync(packed, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 2 * 1024 * 1024,
    });
    return bytes.subarray(0, length);
  } catch {
    return Buffer.alloc(0);
  }
}

/**
 * The content of one entry in pieces, so that memory stays bounded whatever its size. Refuses `archive_unreadable` and
 * `archive_entry_size_wrong` like `unpack`, the latter after the pieces before the fault.
 */
export async function* unpackInChunks(
  { bytes, readAt }: Source,
  entry: ZipEntry,
  filename: string,
): AsyncGenerator<Buffer> {
  const start = await dataStart(readAt, entry, filename);
  if (entry.packed === 0 && entry.size === 0) return;
  yield* checkedChunks(bytes, entry, { filename, start });
}

/** Streams an entry through inflate and stops at the first excess byte. Refuses `archive_entry_size_wrong`. */
async function* checkedChunks(
  archive: OpenBytes,
  entry: ZipEntry,
  { filename, start }: { filename: string; start: number },
): AsyncGenerator<Buffer> {
  const wrong = () => new Refused('archive_entry_size_wrong', { filename, entry: entry.name });
  const source = Readable.from(blocksOf(archive, start, start + entry.packed), { objectMode: false });
  const bytes: Readable = entry.deflated ? compose(source) : source;
  let size = 0;
  let sum = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > entry.size) throw wrong();
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw wrong(); // damaged data
    throw error;
  } finally {
    source.destroy();
    bytes.destroy();
  }
  if (size !== entry.size || sum !== entry.crc32) throw wrong();
}

/** Output of inflate; an error of the source ends it. */
function compose(source: Readable): Readable {
  const inflater = createInflateRaw({ chunkSize: block });
  source.on('error', (error) => inflater.destroy(error));
  return source.pipe(inflater);
}

const block = 256 * 1024;

/** The bytes from `start` up to `end`, block by block. */
export async function* blocksOf(bytes: OpenBytes, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const readAt = await bytes.readAt(at, Math.min(block, end - at));
    if (readAt.length === 0) return;
    yield readAt;
    at += readAt.length;
  }
}
