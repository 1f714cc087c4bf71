import type { Db } from '../sql.ts';

/**
 * Runs `load` while `tables` have neither indexes nor unique constraints, makes these again afterwards and counts the rows
 * for the planner: many rows go in several times faster so. For tables that no other table refers to; the role must own
 * them, and nobody else reads them until the transaction ends.
 */
export async function withoutIndexes(
  tx: Db,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const constraints = await tx<Array<{ table: string; name: string; definition: string }>>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = any(${tables}::regclass[]) and contype in ('p', 'u')`;
  for (const { table, name } of constraints) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
  const indexes = await tx<Array<{ name: string; definition: string }>>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = any(${tables}::regclass[])`;
  for (const { name } of indexes) await tx`drop index ${tx(name)}`;
  await load();
  for (const { table, name, definition } of constraints)
    await tx`alter table ${tx(table)} add constraint ${tx(name)} ${tx.unsafe(definition)}`;
  for (const { definition } of indexes) await tx.unsafe(definition);
  for (const table of tables) await tx`analyze ${tx(table)}`;
}
