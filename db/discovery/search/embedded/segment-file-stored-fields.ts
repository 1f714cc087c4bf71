import { closeSync, fsyncSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type Extent, writeWhole } from './segment-file.ts';
import type { StoredFieldsWriter } from './stored-fields.ts';

/** Write buffer size. */
const piece = 1024 * 1024;

export interface StoredFieldsFile extends StoredFieldsWriter {
  /** Writes the rest and flushes to disk. Gives what the segment stores about the file. */
  finish(): Extent;
  close(): void;
}

/** Creates a file of stored hits at `path`. */
export function createStoredFields(path: string): StoredFieldsFile {
  const file = openSync(path, 'wx');
  const waiting: Buffer[] = [];
  let buffered = 0;
  const extent: Extent = { length: 0, crc32: 0 };

  const flush = () => {
    const bytes = Buffer.concat(waiting);
    waiting.length = 0;
    buffered = 0;
    writeWhole(file, bytes);
    extent.length += bytes.length;
    extent.crc32 = crc32(bytes, extent.crc32);
  };
  return {
    write(bytes) {
      waiting.push(bytes);
      buffered += bytes.length;
      if (buffered >= piece) flush();
    },
    finish() {
      flush();
      fsyncSync(file);
      return { ...extent };
    },
    close: () => closeSync(file),
  };
}
