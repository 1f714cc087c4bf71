import yauzl, { type Entry } from 'yauzl';
import { Refused } from '../errors.ts';

const mebi = 1024 * 1024;

/** Bounds of what is opened at all. */
export const zipLimits = {
  entries: 100_000,
  name_bytes: 1024,
  /** All names together: they stay in memory while the archive is inspected. */
  names_bytes: 16 * mebi,
  depth: 64,
  /** One entry unpacked. */
  entry_bytes: 2048 * mebi,
  /** All entries unpacked. */
  total_bytes: 8192 * mebi,
  /** How many times its own size an archive may grow to, once it grows beyond `free_bytes`; the same for an entry. */
  ratio: 200,
  free_bytes: 64 * mebi,
  /** How much is unpacked to see whether sizes and checksums are true. */
  verified_bytes: 256 * mebi,
} as const;

export interface ZipEntry {
  name: string;
  name_bytes: number;
  /** Bytes when unpacked, as the directory says. */
  size: number;
  packed: number;
  deflated: boolean;
  crc32: number;
  /** Where its local header begins. */
  offset: number;
  /** Fewest bytes its local header and data can take. */
  shortest: number;
}

/** An entry of the directory, checked by itself; `fileSize` is the archive's. Refuses as `withArchive`. */
export function entryOf(raw: Entry, filename: string, fileSize: number): ZipEntry {
  const nameBytes = raw.fileNameRaw;
  const name = yauzl.getFileNameLowLevel(raw.generalPurposeBitFlag, nameBytes, raw.extraFields, true);
  const refuse = (code: 'archive_encrypted' | 'archive_method_unsupported' | 'archive_entry_size_wrong') =>
    new Refused(code, { filename, entry: printable(name) });

  if (!isSafe(name, nameBytes.length)) {
    const { name_bytes: max_length, depth: max_depth } = zipLimits;
    throw new Refused('archive_entry_name_invalid', {
      filename,
      entry: printable(name),
      max_length,
      max_depth,
    });
  }
  if (raw.isEncrypted()) throw refuse('archive_encrypted');
  if (raw.compressionMethod !== 0 && raw.compressionMethod !== 8) throw refuse('archive_method_unsupported');
  const deflated = raw.compressionMethod === 8;
  if (!deflated && raw.compressedSize !== raw.uncompressedSize) throw refuse('archive_entry_size_wrong');

  const allowed = Math.min(
    zipLimits.entry_bytes,
    Math.max(zipLimits.free_bytes, raw.compressedSize * zipLimits.ratio),
  );
  if (raw.uncompressedSize > allowed) {
    throw new Refused('archive_expands_too_much', {
      filename,
      entry: printable(name),
      limit: `${Math.floor(allowed / mebi)}MiB`,
    });
  }
  const shortest = 30 + nameBytes.length + raw.compressedSize;
  if (raw.relativeOffsetOfLocalHeader + shortest > fileSize)
    throw new Refused('archive_unreadable', { filename });
  return {
    name,
    name_bytes: nameBytes.length,
    size: raw.uncompressedSize,
    packed: raw.compressedSize,
    deflated,
    crc32: raw.crc32,
    offset: raw.relativeOffsetOfLocalHeader,
    shortest,
  };
}

/** Whether an entry can be unpacked below a folder, on every system and without surprises. */
function isSafe(name: string, bytes: number): boolean {
  if (bytes === 0 || bytes > zipLimits.name_bytes || /[\\\0]/.test(name)) return false;
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return false;
  const parts = name.split('/');
  return parts.length <= zipLimits.depth && !parts.includes('..');
}

/** A name as a message may show it: one line, not long. */
const printable = (name: string): string => {
  const line = JSON.stringify(name).slice(1, -1);
  return line.length > 120 ? `${line.slice(0, 120)}...` : line;
};
