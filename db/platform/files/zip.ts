import { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { Refused } from '../errors.ts';
import type { ByteSource, OpenBytes } from '../storage/storage.ts';
import type { ArchiveView } from './archive-view.ts';
import { bufferedReader, type ReadAt } from './buffered-reader.ts';
import { entryOf, type ZipEntry, zipLimits } from './zip-entry.ts';
import { blocksOf, headerAgrees, headOf, type Source, unpack, unpackInChunks } from './zip-read.ts';

export interface Archive extends ArchiveView {
  read(name: string, max_bytes: number): Promise<Buffer | null>;
  /** The content of one entry of `names` in pieces. Refuses `archive_entry_size_wrong` at a fault. */
  chunks(name: string): AsyncGenerator<Buffer>;
  /** The first `length` bytes of one entry of `names`, fewer when it is shorter or damaged. */
  head(name: string, length: number): Promise<Buffer>;
  /**
   * Whether the header before the content of one entry of `names` says the same as the directory, and no entry follows that the
   * directory leaves out.
   */
  headerAgrees(name: string): Promise<boolean>;
  /** Unpacked size and CRC-32 of one entry of `names`, as the directory says. */
  size(name: string): number;
  checksum(name: string): number;
}

/**
 * Opens a zip archive within limits, checks that its entries match its directory and passes it to `work`. Contents are
 * unpacked and verified by size and checksum up to `zipLimits.verified_bytes`, unless `verified` is false. Refuses `archive_unreadable`,
 * `archive_encrypted`, `archive_too_many_entries`, `archive_names_too_long`, `archive_expands_too_much`,
 * `archive_entry_name_invalid`, `archive_entry_repeated`, `archive_entry_size_wrong`, `archive_entries_overlap`,
 * `archive_method_unsupported`. Source: decisions §1.3.
 */
export async function withArchive<T>(
  { content, filename, verified = true }: { content: ByteSource; filename: string; verified?: boolean },
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const bytes = await content.open();
  try {
    const { size } = bytes;
    const zip = await opened(bytes, size, filename);
    const directory = zip.readEntryCursor as unknown as number; // declared as boolean by its types
    const entries = await entriesOf(zip, filename, size);
    await noMore(bytes, zip, { filename, size });
    notOverlapping(entries, filename);
    const source = { bytes, readAt: bufferedReader(bytes) };
    if (verified) await verify(source, entries, filename);
    // a folder may be listed more than once; the one that has content counts
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    for (const entry of entries) if (entry.size > 0) byName.set(entry.name, entry);
    const ends = endsOf(entries, directory);
    return await work({
      names: entries.map(({ name }) => name),
      read: async (name, max_bytes) => {
        const entry = byName.get(name);
        return entry ? await unpack(source, entry, { filename, max_bytes }) : null;
      },
      chunks: (name) => unpackInChunks(source, byName.get(name)!, filename),
      head: (name, length) => headOf(source, byName.get(name)!, filename, length),
      headerAgrees: (name) => {
        const entry = byName.get(name)!;
        return headerAgrees(source.readAt, entry, ends.get(entry)!);
      },
      size: (name) => byName.get(name)!.size,
      checksum: (name) => byName.get(name)!.crc32,
    });
  } finally {
    await bytes.close();
  }
}

const unreadable = (filename: string) => new Refused('archive_unreadable', { filename });

async function opened(bytes: OpenBytes, size: number, filename: string): Promise<ZipFile> {
  try {
    return await yauzl.fromRandomAccessReaderPromise(new Directory(bytes), size, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
  } catch {
    throw unreadable(filename);
  }
}

async function entriesOf(zip: ZipFile, filename: string, size: number): Promise<ZipEntry[]> {
  const tooMany = new Refused('archive_too_many_entries', { filename, limit: zipLimits.entries });
  if (zip.entryCount > zipLimits.entries) throw tooMany;
  const entries: ZipEntry[] = [];
  const names_seen = new Set<string>();
  const full_folders = new Set<string>();
  let total = 0;
  let names_bytes = 0;
  for await (const raw of eachEntry(zip, filename)) {
    const entry = entryOf(raw, filename, size);
    names_bytes += entry.name_bytes;
    if (names_bytes > zipLimits.names_bytes)
      throw new Refused('archive_names_too_long', { filename, limit: mb(zipLimits.names_bytes) });
    const folder = entry.name.endsWith('/');
    if (names_seen.has(entry.name) && (!folder || full_folders.has(entry.name)))
      throw new Refused('archive_entry_repeated', { filename, entry: entry.name });
    names_seen.add(entry.name);
    if (folder && entry.size > 0) full_folders.add(entry.name);
    total += entry.size;
    const allowed = Math.min(zipLimits.total_bytes, Math.max(zipLimits.free_bytes, size * zipLimits.ratio));
    if (total > allowed)
      throw new Refused('archive_expands_too_much', { filename, entry: entry.name, limit: mb(allowed) });
    entries.push(entry);
  }
  return entries;
}

const mb = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`;

/** Any parser error about a damaged directory becomes one refusal. */
async function* eachEntry(zip: ZipFile, filename: string): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (/encrypt/.test((error as Error).message))
      throw new Refused('archive_encrypted', { filename, entry: '?' });
    throw unreadable(filename);
  }
}

/** Other programs would show different entries for a directory that continues after its declared end. */
async function noMore(
  bytes: OpenBytes,
  zip: ZipFile,
  { filename, size }: { filename: string; size: number },
) {
  const position = zip.readEntryCursor as unknown as number; // declared as boolean by its types
  if (position >= size) return;
  const next = await bytes.readAt(position, 4);
  if (next.length === 4 && next.readUInt32LE() === 0x02014b50) throw unreadable(filename);
}

/** Where the next entry begins, or the directory, by entry; the first one also says where it should begin. */
function endsOf(
  entries: readonly ZipEntry[],
  directory: number,
): Map<ZipEntry, { end: number; isFirst: boolean }> {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset);
  return new Map(
    sorted.map((entry, i) => [entry, { end: sorted[i + 1]?.offset ?? directory, isFirst: i === 0 }]),
  );
}

/** Entries must not overlap: overlapping ones turn small files into huge output. */
function notOverlapping(entries: ZipEntry[], filename: string): void {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset);
  for (const [i, entry] of sorted.entries()) {
    const next = sorted[i + 1];
    if (next && entry.offset + entry.shortest > next.offset) {
      throw new Refused('archive_entries_overlap', { filename, entry: next.name });
    }
  }
}

async function verify(source: Source, entries: ZipEntry[], filename: string): Promise<void> {
  let left = zipLimits.verified_bytes;
  for (const entry of entries) {
    if (entry.size > left) continue; // smaller entries after it are still checked
    left -= entry.size;
    await unpack(source, entry, { filename, max_bytes: null });
  }
}

/** Reads the directory, which consists of tiny records. */
class Directory extends yauzl.RandomAccessReader {
  readonly #bytes: OpenBytes;
  readonly #piece: ReadAt;

  constructor(bytes: OpenBytes) {
    super();
    this.#bytes = bytes;
    this.#piece = bufferedReader(bytes);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(blocksOf(this.#bytes, start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, read?: number) => void,
  ): void {
    this.#piece(position, length).then(
      (readAt) => callback(null, readAt.copy(buffer, offset)),
      (error: Error) => callback(error),
    );
  }

  override close(callback: (error: Error | null) => void): void {
    setImmediate(callback, null);
  }
}
