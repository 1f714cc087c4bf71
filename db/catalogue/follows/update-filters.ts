import type { NotificationChoices } from '../../messages/notifications/choices.ts';
import { Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { gameVersions } from '../tags/read.ts';
import { isLoader } from '../tags/rules.ts';

/** Maximum game versions that a user chooses. */
const max_chosen_versions = 100;

/**
 * Stores the actor's own choices; `site` of a type that is always or never on the site stays what it is. Refuses
 * `loader_unknown`, `game_version_unknown`, `limit_reached`.
 */
export async function saveNotificationChoices(
  tx: Db,
  { user_id }: Actor,
  { types, loaders, game_versions }: NotificationChoices,
): Promise<void> {
  await assertKnownFilters(tx, { loaders, game_versions });
  const row = { user_id, types: tx.json(types as never), loaders, game_versions };
  await tx`
    insert into notification_choices ${tx(row as never)}
    on conflict (user_id) do update set types = excluded.types, loaders = excluded.loaders,
      game_versions = excluded.game_versions`;
}

/** Refuses `loader_unknown`, `game_version_unknown`, and `limit_reached` for too many game versions. */
export async function assertKnownFilters(
  db: Db,
  { loaders, game_versions }: Pick<NotificationChoices, 'loaders' | 'game_versions'>,
): Promise<void> {
  const loader = loaders.find((name) => !isLoader(name));
  if (loader !== undefined) throw new Refused('loader_unknown', { loader });
  if (game_versions.length > max_chosen_versions)
    throw new Refused('limit_reached', { limit: max_chosen_versions });
  const known = new Set((await gameVersions(db)).map(({ version }) => version));
  const game_version = game_versions.find((name) => !known.has(name));
  if (game_version !== undefined) throw new Refused('game_version_unknown', { game_version });
}
