import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileIn = (data: string): string => join(data, 'secret');

/** What this node shows the plane, or null before it joined. */
export const readSecret = (data: string): string | null =>
  existsSync(fileIn(data)) ? readFileSync(fileIn(data), 'utf8').trim() : null;

/** Keeps it in a file that nobody else can read, whole or not at all. */
export function saveSecret(data: string, secret: string): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const part = `${fileIn(data)}.part`;
  writeFileSync(part, `${secret}\n`, { mode: 0o600, flush: true });
  chmodSync(part, 0o600);
  renameSync(part, fileIn(data));
}
