import type { Db } from '../platform/postgres/sql.ts';

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
  await tx`
    create temporary table dropped_indexes on commit drop as
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as dropping,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as making
    from pg_constraint where conrelid = any(${tables}::regclass[]) and contype in ('p', 'u')
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index where indrelid = any(${tables}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)`;
  await tx`
    do $$ declare command text; begin
      for command in select dropping from dropped_indexes loop execute command; end loop;
    end $$`;
  await load();
  await tx`
    do $$ declare command text; begin
      for command in select making from dropped_indexes loop execute command; end loop;
    end $$`;
  for (const table of tables) await tx`analyze ${tx(table)}`;
}
