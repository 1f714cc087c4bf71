import { bytesOfName } from '#db/platform/files/raw-names/rules.ts';
import type { FileEntry } from '../protocol/files.ts';
import { sftpLimits } from './limits.ts';
import { attributeFlags, large, number, type Status, statuses, string, types } from './wire.ts';

/** Packets for clients, ready to be sent. */

const packet = (type: number, ...fields: Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from([type]), ...fields]);
  return Buffer.concat([number(body.length), body]);
};

/** The first packet: version 3, and what is understood besides. */
export const versionReply = (): Buffer =>
  packet(
    types.VERSION,
    number(3),
    ...['posix-rename@openssh.com', 'limits@openssh.com', 'fsync@openssh.com'].flatMap((name) => [
      string(name),
      string('1'),
    ]),
  );

export const statusReply = (id: number, status: Status, text = ''): Buffer =>
  packet(types.STATUS, number(id), number(statuses[status]), string(text), string('en'));

export const handleReply = (id: number, handle: string): Buffer =>
  packet(types.HANDLE, number(id), string(Buffer.from(handle, 'latin1')));

export const dataReply = (id: number, data: Buffer): Buffer => packet(types.DATA, number(id), string(data));

export const attributesReply = (id: number, entry: FileEntry): Buffer =>
  packet(types.ATTRS, number(id), attributes(entry));

/** The answer to `limits@openssh.com`. */
export const limitsReply = (id: number): Buffer =>
  packet(
    types.EXTENDED_REPLY,
    number(id),
    large(sftpLimits.packet_bytes),
    large(sftpLimits.block_bytes),
    large(sftpLimits.block_bytes),
    large(sftpLimits.handles),
  );

/** Entries of a folder. */
export const namesReply = (id: number, entries: readonly FileEntry[]): Buffer =>
  packet(
    types.NAME,
    number(id),
    number(entries.length),
    ...entries.flatMap((entry) => [name(entry.name), name(longName(entry)), attributes(entry)]),
  );

/** A path without attributes. */
export const pathReply = (id: number, path: string): Buffer =>
  packet(types.NAME, number(id), number(1), name(path), name(path), number(0));

/** Names go out as the bytes that they are on the disk. */
const name = (text: string): Buffer => string(Buffer.from(bytesOfName(text)));

const modes = { file: 0o100644, directory: 0o040755, link: 0o120777, other: 0o010644 } as const;
const letters = {
  file: '-rw-r--r--',
  directory: 'drwxr-xr-x',
  link: 'lrwxrwxrwx',
  other: 'prw-r--r--',
} as const;
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function attributes({ type, bytes, modified }: FileEntry): Buffer {
  const { size, owner, permissions, times } = attributeFlags;
  const at = Math.max(0, Math.floor(modified / 1000));
  return Buffer.concat([
    number(size | owner | permissions | times),
    large(bytes),
    ...[0, 0, modes[type], at, at].map(number),
  ]);
}

/** A line as `ls -l` writes it, in UTC. */
function longName({ name, type, bytes, modified }: FileEntry): string {
  const at = new Date(modified);
  const day = `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)}`;
  const figures = `${letters[type]}    1 server   server   ${String(bytes).padStart(12)}`;
  return `${figures} ${day} ${String(at.getUTCFullYear()).padStart(5)} ${name}`;
}
