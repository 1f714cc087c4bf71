import { randomInt } from 'node:crypto';
import { hashPassword, verifyPassword } from '../../platform/people/password.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** Codes for people who lost their second factor. Source: api-v3 §4 (POST 2fa). */

const count = 6;
const half = 5;
/** Without signs that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const letters = (): string =>
  Array.from({ length: half }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Six new codes of 11 characters, such as `a2b3c-d4e5f`, with their hashes: slow work for before a transaction. */
export async function newBackupCodes(): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = Array.from({ length: count }, () => `${letters()}-${letters()}`);
  return { codes, hashes: await Promise.all(codes.map(hashPassword)) };
}

/** Replaces the codes of a user. */
export async function storeBackupCodes(tx: Db, user_id: string, hashes: readonly string[]): Promise<void> {
  await tx`delete from backup_codes where user_id = ${user_id}`;
  await tx`insert into backup_codes ${tx(hashes.map((code_hash) => ({ user_id, code_hash })))}`;
}

/** How the codes were shown: case, spaces and the dash in the middle do not matter. Null when it is no such code. */
function written(text: string): string | null {
  const plain = text.toLowerCase().replace(/[\s-]/g, '');
  return new RegExp(`^[${alphabet}]{${2 * half}}$`).test(plain)
    ? `${plain.slice(0, half)}-${plain.slice(half)}`
    : null;
}

/** Uses up a code of a user: of simultaneous callers one gets true. */
export async function takeBackupCode(db: Db, user_id: string, text: string): Promise<boolean> {
  const code = written(text);
  if (code === null) return false;
  const rows = await db<Array<{ code_hash: string }>>`
    select code_hash from backup_codes where user_id = ${user_id}`;
  for (const { code_hash } of rows) {
    if (!(await verifyPassword(code_hash, code))) continue;
    const { count: taken } = await db`
      delete from backup_codes where user_id = ${user_id} and code_hash = ${code_hash}`;
    return taken === 1;
  }
  return false;
}
