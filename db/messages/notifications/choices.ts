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
