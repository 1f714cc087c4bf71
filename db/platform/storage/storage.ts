import type { Readable } from 'node:stream';

export interface StoredObject {
  key: string;
  size: number;
  modified: Date;
  /** Changes whenever the object is stored again. Without quotes. */
  etag: string;
}

/** An object opened for random reads; `close` it. */
export interface OpenBytes {
  readonly size: number;
  /** `length` bytes from `position`, fewer at the end. */
  readAt(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** A source that can be opened for reads. */
export interface ByteSource {
  open(): Promise<OpenBytes>;
}

/** A completely received upload without a key. */
export interface StagedFile extends ByteSource {
  readonly size: number;
  /** Discards the staged file. If it was already put, the object stays. */
  discard(): Promise<void>;
}

/** Capacity of a storage with a size limit. */
export interface Space {
  free_bytes: number;
  total_bytes: number;
}

/** `appendPartial` was called for another position than the end. */
export class PartialMoved extends Error {}

/** `put` found an object at the key. */
export class ObjectExists extends Error {}

/**
 * Interface of file storage. Code outside this folder uses only this interface, so that another store needs one more
 * adapter; every adapter must pass `storage-contract.ts`. Keys begin with `data/` (they are the paths of public URLs),
 * `private/` (which has no URL) or `trash/`; any other key is a programming error and throws. Writes refuse `storage_full` and leave nothing behind.
 */
export interface Storage {
  /** Streams an upload into staging. If `chunks` throws, nothing is left. Keeps the reserve free. */
  stage(chunks: AsyncIterable<Uint8Array>): Promise<StagedFile>;
  /**
   * Appends to the staged file `id`, which survives a restart, and gives its new size. Bytes that arrived before `chunks`
   * throws are kept. One writer at a time; `position` must be its size, else it throws `PartialMoved`.
   */
  appendPartial(id: string, position: number, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** What has arrived of the staged file `id`, null when nothing has. */
  partial(id: string): Promise<StagedFile | null>;
  /** Stores a staged file under a key; durable on return. Never overwrites: throws `ObjectExists`. */
  put(key: string, file: StagedFile): Promise<StoredObject>;
  /** Stores small content (icons, images); an existing object is replaced, since such keys contain the hash. */
  putBytes(key: string, bytes: Uint8Array): Promise<StoredObject>;
  head(key: string): Promise<StoredObject | null>;
  /** The content, or the range from `start` to `end` inclusive; null when the object does not exist. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable | null>;
  /** Moves an object and overwrites `to`; false when it does not exist. */
  move(from: string, to: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Removes all objects below a prefix of at least two parts. */
  removeAll(prefix: string): Promise<void>;
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes staged files received before `before`, and gives their number; `dry_run` only counts. */
  removeStaged(before: Date, options?: { dry_run?: boolean }): Promise<number>;
  /** Null for a store without a size limit. */
  space(): Promise<Space | null>;
  /** Whether the store accepts uploads now. */
  isWritable(): Promise<boolean>;
  /** The installation id of this storage, or null. */
  readInstallationId(): Promise<string | null>;
  writeInstallationId(id: string): Promise<void>;
}

const segment = /^(?!\.{1,2}$)[^/\\\0]{1,255}$/;
const max_key_bytes = 2100;

/** Whether `key` is a valid key. */
export function isStorageKey(key: string): boolean {
  const parts = key.split('/');
  return (
    parts.length > 1 &&
    (parts[0] === 'data' || parts[0] === 'trash' || parts[0] === 'private') &&
    parts.every((part) => segment.test(part) && Buffer.byteLength(part) <= 255) &&
    Buffer.byteLength(key) <= max_key_bytes
  );
}
