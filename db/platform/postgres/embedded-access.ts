import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { owner_role, renewOwnerPassword, writeWhole } from './connection.ts';
import { verifierOf } from './roles/create.ts';
import { connect } from './sql.ts';

const closed = 'local all all scram-sha-256\n';
const open = `local all ${owner_role} trust\n${closed}`;

/** Postgres' file of who may sign in, in the folder above the cluster: the one inside the cluster is never read. */
export const accessFile = (home: string): string => join(home, 'postgres.hba');

/** From the next start or reload, everybody needs a password. */
export const closeAccess = (home: string): void => writeWhole(accessFile(home), closed, 0o644);

interface Server {
  home: string;
  /** Folder of its socket. */
  address: string;
  /** Has it read the access file again. */
  reload(): void;
}

/**
 * Ensures that the owner's password beside the socket is the one that the server knows. In a cluster of an older release, and
 * where the file was lost, the owner signs in without one for a moment and gets a new one. Whoever may signal the server may do
 * that, so a start that is killed in between locks nobody out: the next one does the same.
 */
export async function secureOwner({ home, address, reload }: Server): Promise<void> {
  if (await signsIn(address)) return;
  writeWhole(accessFile(home), open, 0o644);
  reload();
  await until(() => signsIn(address));
  const verifier = verifierOf(renewOwnerPassword(address));
  const sql = connect({ address, database: 'postgres', max: 1 });
  await sql.begin(async (tx) => {
    await tx`select set_config('cairn.verifier', ${verifier}, true)`;
    await tx`do $$ begin execute format('alter role app password %L', current_setting('cairn.verifier')); end $$`;
  });
  await sql.end();
  closeAccess(home);
  reload();
  await until(async () => !(await signsIn(`${owner_role}:none@${address}`)));
}

/** Throws what is no matter of passwords. */
async function signsIn(address: string): Promise<boolean> {
  const sql = connect({ address, database: 'postgres', max: 1 });
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') return false;
    throw error;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** The server reads its file again a moment after it was told to. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await holds()); tries++) {
    if (tries === 100) throw new Error('Postgres did not read who may sign in again.');
    await wait(20);
  }
}
