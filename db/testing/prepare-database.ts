import { applyGrants } from '../database-roles/apply.ts';
import { createRoles, randomPasswords } from '../database-roles/create.ts';
import { installQueue } from '../jobs/queue.ts';
import { migrate } from '../migrate.ts';
import { connect } from '../sql.ts';

/** Migrates the database `cairn` of a server without passwords, and makes the roles of the product in it, as a start does. */
export async function prepareDatabase({ address }: { address: string }): Promise<void> {
  const sql = connect({ address, max: 1 });
  await migrate(sql);
  await installQueue(address);
  await createRoles(sql, randomPasswords());
  await applyGrants(sql);
  await sql.end();
}
