import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (data: string): string => join(data, 'secret');

/** The secret of this node, or null before it joined. */
export const readSecret = (data: string): string | null =>
  existsSync(fileIn(data)) ? readFileSync(fileIn(data), 'utf8').trim() : null;

/** Stores the secret in a file that only this user can read, completely or not at all. */
export function saveSecret(data: string, secret: string): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const part = `${fileIn(data)}.part`;
  writeFileSync(part, `${secret}\n`, { mode: 0o600, flush: true });
  chmodSync(part, 0o600);
  renameSync(part, fileIn(data));
}
