import { readSync } from 'node:fs';

/** Stored hits, one after the other; the segment knows where each begins. */
export interface StoredFields {
  /** `length` bytes from `from` on. */
  read(from: number, length: number): Buffer;
}

/** Takes stored hits in the order of documents. */
export interface StoredFieldsWriter {
  write(bytes: Buffer): void;
}

/** Bodies that stay in memory: those of the hot part. */
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

/** Bodies in an open file, read where they lie. */
export const fileStoredFields = (file: number): StoredFields => ({
  read: (from, length) => {
    const bytes = Buffer.allocUnsafe(length);
    let read = 0;
    while (read < length) {
      const more = readSync(file, bytes, read, length - read, from + read);
      if (more === 0) throw new Error('A file of stored hits ends too early.');
      read += more;
    }
    return bytes;
  },
});
