import { readSync } from 'node:fs';

/** Stored hits, concatenated; the segment has their offsets. */
export interface StoredFields {
  /** `length` bytes from `from` on. */
  read(from: number, length: number): Buffer;
}

/** Receives stored hits in document order. */
export interface StoredFieldsWriter {
  write(bytes: Buffer): void;
}

/** Stored hits in memory, for the hot layer. */
export function memoryStoredFields(): StoredFields & StoredFieldsWriter {
  const parts: Buffer[] = [];
  let whole: Buffer | null = null;
  return {
    write: (bytes) => {
      parts.push(bytes);
      whole = null;
    },
    read: (from, length) => {
      whole ??= Buffer.concat(parts);
      return whole.subarray(from, from + length);
    },
  };
}

/** Stored hits in an open file, read on demand. */
export const fileStoredFields = (file: number): StoredFields => ({
  read: (from, length) => {
    const bytes = Buffer.allocUnsafe(length);
    let read = 0;
    while (read < length) {
      const more = readSync(file, bytes, read, length - read, from + read);
      if (more === 0) throw new Error('Stored hits file is truncated.');
      read += more;
    }
    return bytes;
  },
});
