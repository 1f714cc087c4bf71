import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { collectionProjects, replaceProjects } from './entries.ts';
import { collectionRows, ownedCollections } from './read.ts';
import {
  perPerson,
  type Status,
  whyNotChangeCollection,
  whyNotCreateCollection,
  whyNotMoveCollection,
} from './rules.ts';
import type { CreateData, EditData } from './shape.ts';

/** What writes need to know of a collection, with its row locked until the commit. */
export interface LockedCollection {
  id: string;
  user: string;
  status: Status;
  icon_key: string | null;
  raw_icon_key: string | null;
}

/** Locks a collection for a change by the actor. Refuses `not_found` (hidden ones too) and `not_yours`. */
export async function lockCollection(tx: Db, id: string, actor: Actor): Promise<LockedCollection> {
  const [row] = await tx<LockedCollection[]>`
    select id, user_id as "user", status, icon_key, raw_icon_key from collections where id = ${id} for no key update`;
  const [visible] = row ? await collectionRows(tx, [id], actor) : [];
  if (!row || !visible) throw new Refused('not_found', { id });
  assertAllowed(whyNotChangeCollection({ ...visible, projects: visible.projects.length }, actor));
  return row;
}

/** Records a change of a collection, which invalidates the pages that show it or its owner. */
export const recordChange = async (
  tx: Db,
  change: 'created' | 'edited' | 'deleted',
  { id, user }: { id: string; user: string },
  actor: Actor,
  fields?: string[],
): Promise<void> =>
  await recordEvent(tx, {
    name: `collection.${change}`,
    actor_id: actor.user_id,
    collection_id: id,
    data: { owner_id: user, ...(fields ? { fields } : {}) },
  });

/**
 * Creates a listed collection and gives its id; skips projects that the actor cannot see. One at a time per user, so
 * that the limit holds. Refuses `email_unverified`, `limit_reached`. Source: api-v3 §3.9.
 */
export async function createCollection(
  tx: Db,
  actor: Actor,
  { name, description = null, projects }: CreateData,
  now: Date,
): Promise<string> {
  const user_id = actor.user_id;
  await tx`select 1 from users where id = ${user_id} for no key update`;
  const owned = await ownedCollections(tx, user_id);
  assertAllowed(whyNotCreateCollection(owned, actor), { limit: perPerson });
  const id = newId();
  const { ids } = await collectionProjects(tx, projects, actor);
  await tx`insert into collections ${tx({ id, user_id, name, description, created: now, updated: now })}`;
  await replaceProjects(tx, id, ids);
  await recordChange(tx, 'created', { id, user: user_id }, actor);
  return id;
}

/**
 * Changes a collection; absent fields stay. Refuses `not_found`, `not_yours`, `moderators_only` (status) and
 * `project_unknown`. Source: api-v3 §3.9.
 */
export async function editCollection(
  tx: Db,
  actor: Actor,
  id: string,
  change: EditData,
  now: Date,
): Promise<void> {
  const collection = await lockCollection(tx, id, actor);
  const { name, description, status, new_projects } = change;
  if (status) assertAllowed(whyNotMoveCollection(collection.status, status, actor));
  if (new_projects) {
    const { ids, unknown } = await collectionProjects(tx, new_projects, actor, id);
    if (unknown.length > 0) throw new Refused('project_unknown', { ids: unknown.slice(0, 8) });
    await replaceProjects(tx, id, ids);
  }
  const columns = {
    ...(name == null ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(status == null ? {} : { status }),
  };
  const fields = [...Object.keys(columns), ...(new_projects ? ['projects'] : [])];
  if (fields.length === 0) return;
  await tx`update collections set ${tx({ ...columns, updated: now })} where id = ${id}`;
  await recordChange(tx, 'edited', collection, actor, fields);
}

/**
 * Deletes a collection; gives the storage prefix of its images, which the caller removes after the commit. Refuses
 * `not_found`, `not_yours`. Source: api-v3 §3.9; api-behaviours §13.
 */
export async function removeCollection(tx: Db, actor: Actor, id: string): Promise<string> {
  const collection = await lockCollection(tx, id, actor);
  await tx`delete from collections where id = ${id}`;
  await recordChange(tx, 'deleted', collection, actor);
  return picturesOf(id);
}

/** Storage prefix of the images of a collection. */
export const picturesOf = (id: string): string => `data/collections/${id}/`;
