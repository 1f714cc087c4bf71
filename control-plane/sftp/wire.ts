import { nameOfBytes } from '#db/platform/files/raw-names/rules.ts';

/** Numbers and fields of SFTP version 3. Source: SFTP 3. */

export const types = {
  INIT: 1,
  VERSION: 2,
  OPEN: 3,
  CLOSE: 4,
  READ: 5,
  WRITE: 6,
  LSTAT: 7,
  FSTAT: 8,
  SETSTAT: 9,
  FSETSTAT: 10,
  OPENDIR: 11,
  READDIR: 12,
  REMOVE: 13,
  MKDIR: 14,
  RMDIR: 15,
  REALPATH: 16,
  STAT: 17,
  RENAME: 18,
  STATUS: 101,
  HANDLE: 102,
  DATA: 103,
  NAME: 104,
  ATTRS: 105,
  EXTENDED: 200,
  EXTENDED_REPLY: 201,
} as const;

export const statuses = {
  ok: 0,
  eof: 1,
  no_such_file: 2,
  permission_denied: 3,
  failure: 4,
  bad_message: 5,
  unsupported: 8,
} as const;
export type Status = keyof typeof statuses;

/** Flags of OPEN. */
export const openFlags = { read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 } as const;

/** Which attributes follow. */
export const attributeFlags = { size: 1, owner: 2, permissions: 4, times: 8, extended: 0x8000_0000 } as const;

/** A packet that is not what the protocol says: the connection ends. */
export class MalformedPacket extends Error {}

/** Reads the fields of a packet one after the other. Throws `MalformedPacket` at its end. */
export class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  #take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new MalformedPacket('A packet ends too early.');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  byte(): number {
    return this.#take(1)[0]!;
  }

  number(): number {
    return this.#take(4).readUInt32BE();
  }

  /** A number of 64 bits; those that JavaScript cannot hold exactly become infinite. */
  large(): number {
    const value = this.#take(8).readBigUInt64BE();
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : Number.POSITIVE_INFINITY;
  }

  bytes(): Buffer {
    return this.#take(this.number());
  }

  text(): string {
    return this.bytes().toString('utf8');
  }

  /** A path of any bytes (`raw-names`). */
  path(): string {
    return nameOfBytes(this.bytes());
  }
}

/** The bytes of a number of 32 bits. */
export function number(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** The bytes of a number of 64 bits. */
export function large(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** Text or bytes after their length. */
export function string(value: string | Buffer): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([number(bytes.length), bytes]);
}
