import { setTimeout as wait } from 'node:timers/promises';
import { derivedId } from '../../platform/id.ts';
import type { Pool } from '../../platform/postgres/sql.ts';
import type { NewNotification } from './rules.ts';

/** Users notified by one statement. */
export const fanOutPage = 250;
/** After each page it rests twice as long as the page took, at most this: many followers must not slow what others read. */
const max_rest_ms = 100;

/** Somebody to notify, with where their notification goes: `deliveryColumns`. */
export interface Recipient {
  user_id: string;
  on_site: boolean;
  mail: string | null;
}

/**
 * Notifies many users of one thing, each page of them in a transaction of its own. The ids of the notifications follow from
 * type, `about` and user, so that nobody is told twice however often it runs. `recipients` gives the next `fanOutPage` users
 * after an id, by id; `at` is when it happened.
 */
export async function fanOut(
  sql: Pool,
  {
    type,
    body,
    about,
    group_key,
    at,
  }: NewNotification & { about: string; group_key: string | null; at: string },
  recipients: (after: string) => Promise<readonly Recipient[]>,
): Promise<void> {
  for (let after = ''; ; ) {
    const began = performance.now();
    const users = await recipients(after);
    const last = users.at(-1);
    if (!last) return;
    const ids = users.map(({ user_id }) => derivedId(`${type} ${about} ${user_id}`));
    const column = (name: keyof Recipient) => users.map((user) => user[name]?.toString() ?? null);
    await sql`
      insert into notifications (id, user_id, type, body, group_key, created, on_site, mail)
      select n.id, n.user_id, ${type}, ${sql.json(body as never)}, ${group_key}, ${at}::timestamptz, n.on_site, n.mail
      from unnest(${ids}::text[], ${column('user_id')}::text[], ${column('on_site')}::text[]::boolean[],
        ${column('mail')}::text[]) as n (id, user_id, on_site, mail)
      on conflict (id) do nothing`;
    if (users.length < fanOutPage) return;
    after = last.user_id;
    await wait(Math.min(2 * (performance.now() - began), max_rest_ms));
  }
}
