import { migrate } from '../migrations/migrate.ts';
import { installQueue } from '../platform/jobs/queue.ts';
import { applyGrants } from '../platform/postgres/roles/apply.ts';
import { createRoles, randomPasswords } from '../platform/postgres/roles/create.ts';
import { connect } from '../platform/postgres/sql.ts';

/** Migrates the database `cairn` of a server without passwords, and makes the roles of the product in it, as a start does. */
export async function prepareDatabase({ address }: { address: string }): Promise<void> {
  const sql = connect({ address, max: 1 });
  await migrate(sql);
  await installQueue(address);
  await createRoles(sql, randomPasswords());
  await applyGrants(sql);
  await sql.end();
}
