import type { Readable } from 'node:stream';

export interface StoredObject {
  key: string;
  size: number;
  modified: Date;
  /** Differs whenever the bytes at the key were put there again. Quotes are not part of it. */
  etag: string;
}

/** Bytes that are open for reads at any position; `close` them. */
export interface OpenBytes {
  readonly size: number;
  /** The bytes from `position` on: `length` of them, fewer where the bytes end. */
  readAt(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Something that `open` gives the bytes of. */
export interface ByteSource {
  open(): Promise<OpenBytes>;
}

/** An upload that has arrived completely and has no key yet. */
export interface StagedFile extends ByteSource {
  readonly size: number;
  /** Forgets it. Where it was put before, its bytes stay. */
  discard(): Promise<void>;
}

/** How much a storage holds, where it has a bound. */
export interface Space {
  free_bytes: number;
  total_bytes: number;
}

/** `put` found bytes at the key already. */
export class ObjectExists extends Error {}

/**
 * Where the bytes are. Everything outside this folder works through this interface, so that another store is one more
 * adapter; `storage-contract.ts` is what each must pass. Keys begin with `data/` (they are the paths of public addresses)
 * or `trash/`; any other key is a bug of the caller and throws. Writes refuse `storage_full` and leave nothing behind.
 */
export interface Storage {
  /** Takes bytes in as they come. When `chunks` throws, nothing stays. Keeps the reserve free while receiving. */
  stage(chunks: AsyncIterable<Uint8Array>): Promise<StagedFile>;
  /** Gives a staged file a key, durable when it returns. Replaces nothing: throws `ObjectExists`. */
  put(key: string, file: StagedFile): Promise<StoredObject>;
  /** Stores small bytes (icons, pictures); the same key again replaces them (such keys are hashes). */
  putBytes(key: string, bytes: Uint8Array): Promise<StoredObject>;
  head(key: string): Promise<StoredObject | null>;
  /** The bytes, or those from `start` to `end` inclusive; null when there is no such object. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable | null>;
  /** Moves an object; false when there is none. Replaces what is at `to`. */
  move(from: string, to: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Removes everything below a prefix of at least two parts. */
  removeAll(prefix: string): Promise<void>;
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes staged files that arrived before `before`, and gives their number; `dry_run` only counts. */
  removeStaged(before: Date, options?: { dry_run?: boolean }): Promise<number>;
  /** Null where the store has no bound. */
  space(): Promise<Space | null>;
  /** Whether the store can take uploads now. */
  isWritable(): Promise<boolean>;
  /** The id of the installation these bytes belong to, null when none was written. */
  readInstallationId(): Promise<string | null>;
  writeInstallationId(id: string): Promise<void>;
}

const segment = /^(?!\.{1,2}$)[^/\\\0]{1,255}$/;
const max_key_bytes = 2100;

/** Whether `key` can name an object. */
export function isStorageKey(key: string): boolean {
  const parts = key.split('/');
  return (
    parts.length > 1 &&
    (parts[0] === 'data' || parts[0] === 'trash') &&
    parts.every((part) => segment.test(part) && Buffer.byteLength(part) <= 255) &&
    Buffer.byteLength(key) <= max_key_bytes
  );
}
