import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The role that owns the embedded database. */
export const owner_role = 'app';

/** Beside the socket of the embedded server, readable for the user that runs Cairn: the password of its owner, as libpq reads it. */
export const passwordFile = (folder: string): string => join(folder, 'owner.pgpass');

interface SocketConnection {
  folder: string;
  role: string;
  /** Read at every connection: a start may have changed it. */
  password: () => string;
}

/**
 * What the address of an embedded server says, or null for a `postgres://` URL: the folder of its socket, for its owner, or
 * `role:password@` and that folder.
 */
export function socketConnection(address: string): SocketConnection | null {
  const [, role, password, folder] = /^(?:(\w+):(\w+)@)?(\/.*)$/s.exec(address) ?? [];
  if (!folder) return null;
  if (role && password) return { folder, role, password: () => password };
  return { folder, role: owner_role, password: () => ownerPassword(folder) };
}

/** The address of the embedded server for a role. */
export const socketAddress = (folder: string, role: string, password: string): string =>
  `${role}:${password}@${folder}`;

/** Empty when there is no file, as beside a server that asks for no password. */
function ownerPassword(folder: string): string {
  try {
    const [line = ''] = readFileSync(passwordFile(folder), 'utf8').split('\n', 1);
    return line.split(':')[4] ?? '';
  } catch {
    return '';
  }
}

/** Writes a new password of the owner beside the socket, and gives it. */
export function renewOwnerPassword(folder: string): string {
  const password = randomBytes(24).toString('hex');
  writeWhole(passwordFile(folder), `*:*:*:${owner_role}:${password}\n`, 0o600);
  return password;
}

/** Writes a file as a whole. Follows no link that the user of Postgres could have put there. */
export function writeWhole(path: string, text: string, mode: number): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode, flag: 'wx' });
  renameSync(draft, path);
}
