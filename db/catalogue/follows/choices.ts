import { Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { FollowMode } from './rules.ts';
import { assertKnownFilters } from './update-filters.ts';

/** What a user wants to hear of a followed project. */
export interface FollowChoice {
  mode: FollowMode;
  /** Of `own`: only versions for one of these, all when empty. */
  loaders: string[];
  game_versions: string[];
}

interface Stored {
  project_id: string;
  muted: boolean;
  loaders: string[] | null;
  game_versions: string[] | null;
}

function choiceOf({ muted, loaders, game_versions }: Stored): FollowChoice {
  const has_own = loaders !== null || game_versions !== null;
  return {
    mode: muted ? 'none' : has_own ? 'own' : 'global',
    loaders: loaders ?? [],
    game_versions: game_versions ?? [],
  };
}

const columns = (db: Db) => db`project_id, muted, loaders, game_versions`;

/** What the user wants to hear of a project; null when they do not follow it. */
export async function followChoice(
  db: Db,
  user_id: string,
  project_id: string,
): Promise<FollowChoice | null> {
  const [row] = await db<Stored[]>`
    select ${columns(db)} from follows where user_id = ${user_id} and project_id = ${project_id}`;
  return row ? choiceOf(row) : null;
}

/** The projects a user follows: those with a choice of their own first, then the newest; and how many there are. */
export async function followChoices(
  db: Db,
  user_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; follows: Array<FollowChoice & { project_id: string }> }> {
  const [{ total }] = await db<[{ total: number }]>`
    select count(*)::int as total from follows where user_id = ${user_id}`;
  const rows = await db<Stored[]>`
    select ${columns(db)} from follows where user_id = ${user_id}
    order by (muted or loaders is not null or game_versions is not null) desc, created desc, project_id
    limit ${limit} offset ${offset}`;
  return { total, follows: rows.map((row) => ({ project_id: row.project_id, ...choiceOf(row) })) };
}

/**
 * Stores what the actor wants to hear of a followed project; loaders and game versions count for `own` only. Refuses
 * `not_following`, `loader_unknown`, `game_version_unknown`, `limit_reached`.
 */
export async function saveFollowChoice(
  tx: Db,
  { user_id }: Actor,
  project_id: string,
  { mode, loaders, game_versions }: FollowChoice,
): Promise<void> {
  const own = mode === 'own' ? { loaders, game_versions } : null;
  if (own) await assertKnownFilters(tx, own);
  const row = {
    muted: mode === 'none',
    loaders: own?.loaders ?? null,
    game_versions: own?.game_versions ?? null,
  };
  const { count } = await tx`
    update follows set ${tx(row)} where user_id = ${user_id} and project_id = ${project_id}`;
  if (count === 0) throw new Refused('not_following');
}
