import { gameVersions } from '../../catalogue/tags/read.ts';
import { isLoader } from '../../catalogue/tags/rules.ts';
import { Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type ChosenType, chosenTypes, deliveries, type MailTime, mailTimes } from './rules.ts';

/** Where a user wants notifications of one type. */
interface Delivery {
  site: boolean;
  mail: MailTime;
}

/** What a user wants to hear of. */
export interface NotificationChoices {
  types: Record<ChosenType, Delivery>;
  /** Updates of followed projects: only for one of these, all when empty. */
  loaders: string[];
  game_versions: string[];
}

interface Stored {
  types: Partial<Record<ChosenType, Partial<Delivery>>>;
  loaders: string[];
  game_versions: string[];
}

const nothing: Stored = { types: {}, loaders: [], game_versions: [] };

/** The choices of a user, complete: what was never chosen is as for everybody. The caller checks the rule. */
export async function notificationChoices(db: Db, user_id: string): Promise<NotificationChoices> {
  const [row] = await db<Stored[]>`
    select types, loaders, game_versions from notification_choices where user_id = ${user_id}`;
  const { types, ...filters } = row ?? nothing;
  const complete = chosenTypes.map((type) => [type, deliveryOf(type, types[type])]);
  return { types: Object.fromEntries(complete), ...filters };
}

function deliveryOf(type: ChosenType, chosen: Partial<Delivery> = {}): Delivery {
  const { site, mail } = deliveries[type];
  const known = mailTimes.find((time) => time === chosen.mail);
  return { site: site === 'chosen' ? chosen.site !== false : site === 'always', mail: known ?? mail };
}

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
  { loaders, game_versions }: Pick<Stored, 'loaders' | 'game_versions'>,
): Promise<void> {
  const loader = loaders.find((name) => !isLoader(name));
  if (loader !== undefined) throw new Refused('loader_unknown', { loader });
  if (game_versions.length > max_chosen_versions)
    throw new Refused('limit_reached', { limit: max_chosen_versions });
  const known = new Set((await gameVersions(db)).map(({ version }) => version));
  const game_version = game_versions.find((name) => !known.has(name));
  if (game_version !== undefined) throw new Refused('game_version_unknown', { game_version });
}

/** Ends all mails of notifications to a user, also those that wait to be sent: what the link in such a mail does. */
export async function stopNotificationMails(tx: Db, user_id: string): Promise<void> {
  const { types, ...filters } = await notificationChoices(tx, user_id);
  const off = Object.fromEntries(
    Object.entries(types).map(([type, { site }]) => [type, { site, mail: 'off' as const }]),
  );
  const row = { user_id, types: tx.json(off as never), ...filters };
  await tx`
    insert into notification_choices ${tx(row as never)}
    on conflict (user_id) do update set types = excluded.types`;
  await tx`delete from notifications where user_id = ${user_id} and mail is not null and not on_site`;
  await tx`update notifications set mail = null where user_id = ${user_id} and mail is not null`;
}
