import { attributeFlags, FieldReader, types } from './wire.ts';

/** Attributes of SETSTAT and FSETSTAT: owner and permissions are read over. */
export interface SetAttributes {
  size: number | null;
  /** Milliseconds since 1970. */
  modified: number | null;
}

/** What a client asks, with the number that the answer carries. */
export type SftpRequest = { id: number } & (
  | { type: 'open'; path: string; flags: number }
  | { type: 'close' | 'fstat' | 'readdir'; handle: string }
  | { type: 'read'; handle: string; offset: number; length: number }
  | { type: 'write'; handle: string; offset: number; data: Buffer }
  | { type: 'stat' | 'opendir' | 'remove' | 'mkdir' | 'rmdir' | 'realpath'; path: string }
  | { type: 'setstat'; path: string; to: SetAttributes }
  | { type: 'fsetstat'; handle: string; to: SetAttributes }
  | { type: 'rename'; from: string; to: string; replace: boolean }
  | { type: 'limits' }
  | { type: 'fsync'; handle: string }
  | { type: 'unsupported' }
);

/** Reads a request after the handshake. Throws `MalformedPacket`. */
export function parseRequest(packet: Buffer): SftpRequest {
  const fields = new FieldReader(packet);
  const type = fields.byte();
  const id = fields.number();
  switch (type) {
    case types.OPEN:
      return { id, type: 'open', path: fields.path(), flags: fields.number() };
    case types.CLOSE:
      return { id, type: 'close', handle: handleOf(fields) };
    case types.READ:
      return { id, type: 'read', handle: handleOf(fields), offset: fields.large(), length: fields.number() };
    case types.WRITE:
      return { id, type: 'write', handle: handleOf(fields), offset: fields.large(), data: fields.bytes() };
    // links are shown as what they are and never followed
    case types.LSTAT:
    case types.STAT:
      return { id, type: 'stat', path: fields.path() };
    case types.FSTAT:
      return { id, type: 'fstat', handle: handleOf(fields) };
    case types.SETSTAT:
      return { id, type: 'setstat', path: fields.path(), to: attributesOf(fields) };
    case types.FSETSTAT:
      return { id, type: 'fsetstat', handle: handleOf(fields), to: attributesOf(fields) };
    case types.OPENDIR:
      return { id, type: 'opendir', path: fields.path() };
    case types.READDIR:
      return { id, type: 'readdir', handle: handleOf(fields) };
    case types.REMOVE:
      return { id, type: 'remove', path: fields.path() };
    case types.MKDIR:
      return { id, type: 'mkdir', path: fields.path() };
    case types.RMDIR:
      return { id, type: 'rmdir', path: fields.path() };
    case types.REALPATH:
      return { id, type: 'realpath', path: fields.path() };
    case types.RENAME:
      return { id, type: 'rename', from: fields.path(), to: fields.path(), replace: false };
    case types.EXTENDED:
      return extended(id, fields);
    default:
      return { id, type: 'unsupported' };
  }
}

/** Extensions of OpenSSH. Source: OpenSSH PROTOCOL §4. */
function extended(id: number, fields: FieldReader): SftpRequest {
  switch (fields.text()) {
    case 'posix-rename@openssh.com':
      return { id, type: 'rename', from: fields.path(), to: fields.path(), replace: true };
    case 'limits@openssh.com':
      return { id, type: 'limits' };
    case 'fsync@openssh.com':
      return { id, type: 'fsync', handle: handleOf(fields) };
    default:
      return { id, type: 'unsupported' };
  }
}

const handleOf = (fields: FieldReader): string => fields.bytes().toString('latin1');

/** Size and time among the attributes, which come in the order of their flags. */
function attributesOf(fields: FieldReader): SetAttributes {
  const flags = fields.number();
  const has = (flag: keyof typeof attributeFlags) => (flags & attributeFlags[flag]) !== 0;
  const size = has('size') ? fields.large() : null;
  if (has('owner')) for (const _ of ['uid', 'gid']) fields.number();
  if (has('permissions')) fields.number();
  if (!has('times')) return { size, modified: null };
  fields.number(); // when it was read last, which nobody asks for
  return { size, modified: fields.number() * 1000 };
}

/** The version that a client speaks, by its first packet; null when it is another packet. */
export function parseInit(packet: Buffer): number | null {
  const fields = new FieldReader(packet);
  return fields.byte() === types.INIT ? fields.number() : null;
}
