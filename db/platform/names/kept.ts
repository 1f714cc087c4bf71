import type { Db } from '../postgres/sql.ts';

/**
 * Names that were public stay with who had them (triggers of migration 0313 keep them, whatever changes a name): who had one may
 * take it back, nobody else gets it until staff release it.
 */

export type KeptKind = 'project' | 'user' | 'organization';

export interface Name {
  kind: KeptKind;
  name: string;
}

/** Whether a name is kept for somebody else than `owner_id`, or for nobody who is still there. */
export async function isKept(db: Db, { kind, name }: Name, owner_id: string | null): Promise<boolean> {
  const [kept] = await db`
    select 1 from kept_names
    where kind = ${kind} and name = kept_name(${kind}, ${name}) and not coalesce(owner_id = ${owner_id}, false)`;
  return kept !== undefined;
}

/** Takes a name for `owner_id`, which is in use again when it was kept for them; false when it is kept for somebody else. */
export async function takeName(tx: Db, { kind, name }: Name, owner_id: string): Promise<boolean> {
  if (await isKept(tx, { kind, name }, owner_id)) return false;
  await tx`
    delete from kept_names
    where kind = ${kind} and name = kept_name(${kind}, ${name}) and owner_id = ${owner_id}`;
  return true;
}
