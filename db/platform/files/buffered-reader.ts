import type { OpenBytes } from '../storage/storage.ts';

/** The bytes at a position of a file; fewer at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

const block_bytes = 128 * 1024;

/**
 * Buffers short reads that are near each other in one larger block, so that thousands of them cost a few file reads.
 */
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
