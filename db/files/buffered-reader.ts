import type { OpenBytes } from '../storage/storage.ts';

/** The bytes at a place of a file; fewer than asked for where it ends. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

const block_bytes = 128 * 1024;

/** Reads short pieces that lie near each other through one larger block: thousands of them cost a few reads. */
export function bufferedReader(bytes: Pick<OpenBytes, 'readAt'>): ReadAt {
  let start = 0;
  let block: Buffer = Buffer.alloc(0);
  return async (position, length) => {
    if (position < start || position + length > start + block.length) {
      block = await bytes.readAt(position, Math.max(length, block_bytes));
      start = position;
    }
    return block.subarray(position - start, position - start + length);
  };
}
