import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Pool } from '../sql.ts';
import { type DatabaseRole, databaseRoles } from './grants.ts';

export type RolePasswords = Readonly<Record<DatabaseRole, string>>;

/** New passwords for the roles, of letters that need no escape in an address. */
export const randomPasswords = (): RolePasswords =>
  Object.fromEntries(databaseRoles.map((role) => [role, randomBytes(24).toString('hex')])) as RolePasswords;

/** Whether the connected role may create roles. */
export async function mayCreateRoles(sql: Pool): Promise<boolean> {
  const [row] = await sql`select from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)`;
  return row !== undefined;
}

/** Creates the roles of the processes, or gives existing ones these passwords and takes rights away that none of them has. */
export async function createRoles(sql: Pool, passwords: RolePasswords): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('cairn.roles'))`;
    for (const role of databaseRoles) {
      const [known] = await tx<{ excess: boolean }[]>`
        select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as excess
        from pg_roles where rolname = ${role}`;
      if (!known) await tx`create role ${tx(role)} login`;
      else if (known.excess)
        await tx`alter role ${tx(role)} nosuperuser nocreaterole nocreatedb noreplication nobypassrls`;
      // a statement like this takes no parameters, and the log of the server may have its text
      await tx`select set_config('cairn.role', ${role}, true), set_config('cairn.verifier', ${verifierOf(passwords[role])}, true)`;
      await tx`do $$ begin
        execute format('alter role %I login password %L', current_setting('cairn.role'), current_setting('cairn.verifier'));
      end $$`;
    }
  });
}

const iterations = 4096;

/** What Postgres stores of a password: the server never receives the password itself (RFC 5803). */
export function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}
