import type { Db } from './sql.ts';

/** Nobody else takes a row of an outbox for so long, in milliseconds. */
export const lease_ms = 5 * 60_000;

/**
 * The ids of up to `limit` rows of an outbox that are due, the oldest first, for `where id = any(...)` of the update that
 * takes them: locked, so that two senders never take the same row. Mails about accounts come before notifications, and those
 * before the newsletter. As an array, which is read once: `in (...)` may be read again for every row, and each time takes
 * others than before.
 */
export const dueRows = (db: Db, table: 'mails' | 'staff_notice_calls', now: Date, limit: number) => db`array(
  select id from ${db(table)} where state = 'waiting' and due <= ${now}
  order by ${table === 'mails' ? db`mail_turn(template), due` : db`due`} limit ${limit} for update skip locked)`;
