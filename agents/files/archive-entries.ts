import type { FileHandle } from 'node:fs/promises';
import { Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { extract } from 'tar-stream';
import { fromFdPromise } from 'yauzl';
import { isRawName, nameOfBytes } from '#db/platform/files/raw-names/rules.ts';
import { zipEntryName } from '#db/platform/files/zip-names.ts';
import { FileError, shown } from './file-error.ts';

/** One entry of an archive, in the order of the archive. */
export interface ArchiveEntry {
  /** As the archive has it. */
  path: string;
  /** The archive does not say how the name is written, and it may be read wrongly. */
  unclear: boolean;
  /** `other` are links and devices, which are never unpacked. */
  type: 'file' | 'directory' | 'other';
  mode: number;
  /** What the archive says its content has; null for a single compressed file. */
  bytes: number | null;
  /** Its content, to be read before the next entry is asked for, or not at all. */
  content(): AsyncIterable<Buffer>;
}
interface Source {
  handle: FileHandle;
  /** For refusals. */
  path: string;
  /** Of the archive: a single compressed file has the same without its ending. */
  name: string;
  /** Bytes of the archive that were read. */
  onRead(bytes: number): void;
  /** A zip says that it has so many entries. */
  onCount(entries: number): void;
}

/**
 * The entries of a zip, tar, tar.gz or tar.zst, or the one file of a gz or zst: told apart by content, not by name. Refuses
 * `server_archive_unreadable`.
 */
export async function* entriesOf(source: Source): AsyncGenerator<ArchiveEntry> {
  const { buffer, bytesRead } = await source.handle.read(Buffer.alloc(512), 0, 512, 0);
  const begin = buffer.subarray(0, bytesRead);
  for await (const entry of undamaged(source.path, entriesBy(begin, source)))
    yield { ...entry, content: () => undamaged(source.path, entry.content()) };
}

function entriesBy(begin: Buffer, source: Source): AsyncGenerator<ArchiveEntry> {
  const magic = begin.toString('latin1', 0, 4);
  if (magic.startsWith('PK')) return zipEntries(source);
  if (magic.startsWith('\x1f\x8b')) return compressedEntries(source, createGunzip(), /\.gz$/i);
  if (magic === '\x28\xb5\x2f\xfd') return compressedEntries(source, createZstdDecompress(), /\.zst$/i);
  if (isTarHeader(begin)) return tarEntries(rawOf(source));
  throw unreadable(source.path);
}

const unreadable = (path: string): FileError =>
  new FileError('server_archive_unreadable', { path: shown(path) });

/** What `reading` gives; damage in it is a refusal. */
async function* undamaged<T>(path: string, reading: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* reading;
  } catch (error) {
    throw isDamage(error) ? unreadable(path) : error;
  }
}

/** Errors of the libraries that read archives, which have no code of the system. */
function isDamage(error: unknown): boolean {
  const { code = '', name = '' } = error as NodeJS.ErrnoException;
  return error instanceof Error && (/^(Z_|ZSTD_|ERR_)/.test(code) || (name === 'Error' && code === ''));
}

function rawOf({ handle, onRead }: Source): Readable {
  const raw = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 });
  raw.on('data', (chunk) => onRead(chunk.length)).pause();
  return raw;
}

async function* compressedEntries(
  source: Source,
  decompress: Transform,
  ending: RegExp,
): AsyncGenerator<ArchiveEntry> {
  const raw = rawOf(source);
  raw.once('error', (error) => decompress.destroy(error));
  raw.pipe(decompress);
  try {
    const chunks = decompress[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const begin: Buffer[] = [];
    let size = 0;
    while (size < 512) {
      const { value, done } = await chunks.next();
      if (done) break;
      begin.push(value);
      size += value.length;
    }
    const all = Readable.from(
      (async function* () {
        yield* begin;
        yield* { [Symbol.asyncIterator]: () => chunks };
      })(),
      { objectMode: false },
    );
    if (isTarHeader(Buffer.concat(begin))) return yield* tarEntries(all);
    const path = ending.test(source.name) ? source.name.replace(ending, '') : `${source.name} (2)`;
    yield { path, unclear: false, type: 'file', mode: 0o644, bytes: null, content: () => all };
  } finally {
    raw.destroy();
    decompress.destroy();
  }
}

/** Whether a block begins a tar: the sum of its bytes is written in it. Source: hosting §1e. */
function isTarHeader(block: Buffer): boolean {
  if (block.length < 512) return false;
  const written = Number.parseInt(block.toString('latin1', 148, 156).replace(/(?<![\0 ])[\0 ]+$/, ''), 8);
  let sum = 8 * 32;
  for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) sum += block[at]!;
  return sum === written;
}

/** An option of the library that its types lack. */
const in_bytes = { filenameEncoding: 'latin1' } as Parameters<typeof extract>[0];

async function* tarEntries(input: Readable): AsyncGenerator<ArchiveEntry> {
  // names in headers have the bytes of the system that wrote them, those of pax are UTF-8
  const tar = extract(in_bytes);
  input.once('error', (error) => tar.destroy(error));
  input.pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, type, mode = 0o644, size = 0 } = entry.header;
      const pax = (entry.header as { pax?: Record<string, string> }).pax ?? {};
      const path = pax.path === name ? name : nameOfBytes(Buffer.from(name, 'latin1'));
      // a sparse file has a map of its holes in front of its content
      const sparse = Object.keys(pax).some((key) => key.startsWith('GNU.sparse'));
      const file = (type === 'file' || type === 'contiguous-file') && !sparse;
      const kind = type === 'directory' ? 'directory' : file ? 'file' : 'other';
      let read = false;
      yield {
        ...{ path, unclear: isRawName(path), type: kind, mode, bytes: size },
        content: () => {
          read = true;
          return entry as AsyncIterable<Buffer>;
        },
      };
      if (!read) entry.resume();
    }
  } finally {
    tar.destroy();
    input.destroy();
  }
}

const is_directory = 0o040000;
const is_regular = 0o100000;
const type_bits = 0o170000;

async function* zipEntries({ handle, path: archive, onCount, onRead }: Source): AsyncGenerator<ArchiveEntry> {
  const zip = await fromFdPromise(handle.fd, {
    ...{ lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true },
  });
  onCount(zip.entryCount);
  for await (const entry of zip.eachEntry()) {
    const { name: path, unclear } = zipEntryName(entry, { strict: false });
    const unix = (entry.externalFileAttributes >>> 16) & 0xffff;
    const bits = unix & type_bits;
    const other = bits !== 0 && bits !== is_regular && bits !== is_directory;
    const type = path.endsWith('/') ? 'directory' : other ? 'other' : 'file';
    if (entry.isEncrypted()) throw unreadable(archive);
    yield {
      ...{ path, unclear, type, mode: unix & 0o777 || 0o644, bytes: entry.uncompressedSize },
      content: async function* () {
        yield* await zip.openReadStreamPromise(entry);
        onRead(entry.compressedSize);
      },
    };
  }
}
