import type { FileHandle } from 'node:fs/promises';

/** The bytes at a place of a file; fewer than asked for where it ends. */
export type ReadPiece = (position: number, length: number) => Promise<Buffer>;

const block_bytes = 128 * 1024;

/** Reads short pieces that lie near each other through one larger block: thousands of them cost a few reads. */
export function windowed(handle: FileHandle): ReadPiece {
  let start = 0;
  let block = Buffer.alloc(0);
  return async (position, length) => {
    if (position < start || position + length > start + block.length) {
      const next = Buffer.alloc(Math.max(length, block_bytes));
      const { bytesRead } = await handle.read(next, 0, next.length, position);
      start = position;
      block = next.subarray(0, bytesRead);
    }
    return block.subarray(position - start, position - start + length);
  };
}
