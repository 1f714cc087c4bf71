import type { Readable } from 'node:stream';

export interface StoredObject {
  key: string;
  size: number;
  modified: Date;
}

/** Where the bytes lie. One interface for disk and (later) S3; keys are the public URLs' paths. */
export interface Storage {
  /** Moves a finished file of `tmp` to `key`, durable when it returns. Replaces nothing: an existing key is an error. */
  putFile(key: string, path: string): Promise<void>;
  /** Stores small bytes (icons, pictures) at `key`; the same key again is allowed (keys hold their hash). */
  putBytes(key: string, bytes: Uint8Array): Promise<void>;
  head(key: string): Promise<StoredObject | null>;
  read(key: string, range?: { start: number; end: number }): Promise<Readable | null>;
  remove(key: string): Promise<void>;
  removeAll(prefix: string): Promise<void>;
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Folder on the same file system for uploads that are still arriving. */
  readonly tmp: string;
  /** Root folder when the objects are plain files that may be sent by path; null otherwise. */
  readonly root: string | null;
}
