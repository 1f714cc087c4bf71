import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSealer, type Sealer } from './seal.ts';

const key_bytes = 32;

/**
 * The sealer of this installation: its key is the file `secret.key` in `folder` (DATA_DIR), made at the first start and
 * readable by its owner only. Several processes may start at once: the first file stays. Throws when the file is not a key,
 * because with another one nothing sealed could be opened again.
 */
export function openSealer(folder: string): Sealer {
  const text = readOrMakeSecret(
    folder,
    'secret.key',
    () => `${randomBytes(key_bytes).toString('base64url')}\n`,
  );
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== key_bytes)
    throw new Error(
      `${join(folder, 'secret.key')} is not a key of ${key_bytes} bytes: restore it from a backup.`,
    );
  return createSealer(key);
}

/**
 * The text of the secret file `name` in `folder`, from `make` when there is none yet. Its owner alone may read it. Several
 * processes may start at once: the first file stays.
 */
export function readOrMakeSecret(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  return readSecret(path) ?? makeSecret(folder, path, make());
}

function readSecret(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function makeSecret(folder: string, path: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const staged = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(staged, text, { mode: 0o600 });
  try {
    linkSync(staged, path); // whole or not at all, and never over another one
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(staged);
  }
  return readFileSync(path, 'utf8');
}
