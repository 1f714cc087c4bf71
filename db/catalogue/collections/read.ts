import { inOrderOfIds, isId } from '../../platform/id.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { type MediaSettings, mediaUrlOrNull } from '../../platform/storage/url.ts';
import { visibleProjects } from '../projects/read.ts';
import {
  type Status as ProjectStatus,
  statuses as projectStatuses,
  statusTraits,
} from '../projects/rules.ts';
import { followingId, type Status, whyNotListCollection, whyNotSeeCollection } from './rules.ts';
import type { Collection } from './shape.ts';

interface Row {
  id: string;
  user: string;
  name: string;
  description: string | null;
  icon_key: string | null;
  color: number | null;
  status: Status;
  created: string;
  updated: string;
  projects: string[];
}

const hidden: readonly string[] = projectStatuses.filter((status) => statusTraits[status].hidden);

/**
 * `select` of complete rows `from collections c`; add the `where`. Hidden projects are listed for their members only,
 * so that a collection of hidden projects is empty for others.
 */
const selectRows = (db: Db, actor: Actor | null) => db`
  select c.id, c.user_id as "user", c.name, c.description, c.icon_key, c.color, c.status, c.created, c.updated,
    array(select e.project_id::text from collection_projects e join projects p on p.id = e.project_id
      where e.collection_id = c.id
        and (${isModerator(actor)} or c.user_id = ${actor?.user_id ?? ''} or p.status <> all(${hidden as string[]}))
      order by e.place, e.project_id) as projects
  from collections c`;

const collectionOf = (settings: MediaSettings, { icon_key, ...row }: Row): Collection => ({
  ...row,
  icon_url: mediaUrlOrNull(settings, icon_key),
});

const visible = (rows: readonly Row[], actor: Actor | null, why = whyNotSeeCollection): Row[] =>
  rows.filter((row) => why({ ...row, projects: row.projects.length }, actor) === null);

/** The rows of the collections with these ids that the actor may see, in request order without duplicates. */
export async function collectionRows(db: Db, ids: readonly string[], actor: Actor | null): Promise<Row[]> {
  const requested = [...new Set(ids)].filter(isId);
  if (requested.length === 0) return [];
  const rows = await db<Row[]>`${selectRows(db, actor)} where c.id = any(${requested})`;
  return inOrderOfIds(requested, visible(rows, actor));
}

/** The collections with these ids that the actor may see, in request order without duplicates. Source: api-v3 §3.9. */
export async function collectionsByIds(
  { sql, settings }: ReadContext,
  ids: readonly string[],
  actor: Actor | null,
): Promise<Collection[]> {
  return (await collectionRows(sql, ids, actor)).map((row) => collectionOf(settings, row));
}

/** The collection with this id, null when it does not exist or is hidden from the actor. Source: api-behaviours §4. */
export async function findCollection(
  context: ReadContext,
  id: string,
  actor: Actor | null,
): Promise<Collection | null> {
  const [collection] = await collectionsByIds(context, [id], actor);
  return collection ?? null;
}

/** How many collections the user has, in any status. */
export async function ownedCollections(db: Db, user_id: string): Promise<number> {
  const [row] = await db<Array<{ owned: number }>>`
    select count(*) as owned from collections where user_id = ${user_id}`;
  return row!.owned;
}

/** Maximum collections in a user's list: only admins may have more than 32. */
const max_user_collections = 1000;

/** The collections of a user that the actor may list, newest first. Source: api-v3 §3.7. */
export async function collectionsOfUser(
  { sql: db, settings }: ReadContext,
  user_id: string,
  actor: Actor | null,
): Promise<Collection[]> {
  const rows = await db<Row[]>`
    ${selectRows(db, actor)} where c.user_id = ${user_id} order by c.created desc, c.id limit ${max_user_collections}`;
  return visible(rows, actor, whyNotListCollection).map((row) => collectionOf(settings, row));
}

/**
 * The actor's followed projects that are still visible, as a private collection; last followed first.
 * Source: screens §A.4; api-behaviours §10 (following is no right to see).
 */
export async function following(db: Db, actor: Actor): Promise<Collection> {
  const [row] = await db<Array<Pick<Row, 'created' | 'updated'>>>`
    select u.created, greatest(u.created, (select max(f.created) from follows f where f.user_id = u.id)) as updated
    from users u where u.id = ${actor.user_id}`;
  const followed = await db<Array<{ id: string; status: ProjectStatus }>>`
    select p.id, p.status from follows f join projects p on p.id = f.project_id
    where f.user_id = ${actor.user_id} order by f.created desc, p.id limit ${max_user_collections}`;
  const projects = (await visibleProjects(db, followed, actor)).map(({ id }) => id);
  const nothing = { description: null, icon_url: null, color: null };
  const phrases = { id: followingId, user: actor.user_id, name: 'Followed projects', ...nothing };
  return { ...phrases, status: 'private', ...row!, projects };
}
