import type { Entry } from 'yauzl';
import { Refused } from '../errors.ts';
import { zipEntryName } from './zip-names.ts';

const mebi = 1024 * 1024;

/** Limits for archives. */
export const zipLimits = {
  entries: 100_000,
  name_bytes: 1024,
  /** All names together: they stay in memory during the inspection. */
  names_bytes: 16 * mebi,
  depth: 64,
  /** Unpacked size of one entry. */
  entry_bytes: 2048 * mebi,
  /** Unpacked size of all entries. */
  total_bytes: 8192 * mebi,
  /** Maximum expansion ratio of an archive once it exceeds `free_bytes` unpacked; the same for an entry. */
  ratio: 200,
  free_bytes: 64 * mebi,
  /** Bytes that are unpacked to verify sizes and checksums. */
  verified_bytes: 256 * mebi,
} as const;

export interface ZipEntry {
  name: string;
  name_bytes: number;
  /** As it stands in the directory, in whatever encoding. */
  raw_name: Buffer;
  flags: number;
  /** Unpacked size from the directory. */
  size: number;
  packed: number;
  deflated: boolean;
  crc32: number;
  /** Offset of its local header. */
  offset: number;
  /** Minimum size of its local header and data. */
  shortest: number;
}

/** Validates one directory entry; `fileSize` is the archive's. Refuses like `withArchive`. */
export function entryOf(raw: Entry, filename: string, fileSize: number): ZipEntry {
  const nameBytes = raw.fileNameRaw;
  const { name } = zipEntryName(raw, { strict: true });
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
      limit: `${Math.floor(allowed / mebi)} MB`,
    });
  }
  const shortest = 30 + nameBytes.length + raw.compressedSize;
  if (raw.relativeOffsetOfLocalHeader + shortest > fileSize)
    throw new Refused('archive_unreadable', { filename });
  return {
    name,
    name_bytes: nameBytes.length,
    raw_name: nameBytes,
    flags: raw.generalPurposeBitFlag,
    size: raw.uncompressedSize,
    packed: raw.compressedSize,
    deflated,
    crc32: raw.crc32,
    offset: raw.relativeOffsetOfLocalHeader,
    shortest,
  };
}

/** Whether an entry can be safely unpacked below a folder on every system. */
function isSafe(name: string, bytes: number): boolean {
  if (bytes === 0 || bytes > zipLimits.name_bytes || /[\\\0]/.test(name)) return false;
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return false;
  const parts = name.split('/');
  return parts.length <= zipLimits.depth && !parts.includes('..');
}

/** A name for a message: one line, shortened. */
const printable = (name: string): string => {
  const line = JSON.stringify(name).slice(1, -1);
  return line.length > 120 ? `${line.slice(0, 120)}...` : line;
};
