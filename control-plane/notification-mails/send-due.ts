import { notificationNames } from '#db/accounts/notifications/names.ts';
import { type Mailing, queueMail } from '#db/messages/mail/queue.ts';
import { takeDue, usersDue } from '#db/messages/notification-mails/due.ts';
import { dueBefore } from '#db/messages/notification-mails/rules.ts';
import type { MailTime } from '#db/messages/notifications/rules.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db, Pool } from '#db/platform/postgres/sql.ts';
import { addressed, writeAtOnce, writeDigest } from './compose.ts';

const times = ['now', 'daily', 'weekly'] as const satisfies readonly MailTime[];
/** Users looked up by one query, and at most in one run; the next run takes the rest. */
const batch = 200;
const max_users = 5_000;

interface Sending extends Mailing {
  sql: Pool;
  log: { error(fields: object, text: string): void };
}

/**
 * Queues the mails of notifications that are due at `now`: each notification goes into one mail at most, because what is
 * taken and the mail that it is in are committed together, user by user. Gives how many mails were queued.
 */
export async function sendDue(context: Sending, now: Date): Promise<number> {
  let queued = 0;
  for (const time of times) {
    const before = dueBefore(time, now);
    let after = '';
    for (let seen = 0; seen < max_users; ) {
      const users = await usersDue(context.sql, { time, before, now, after, limit: batch });
      for (const user_id of users) {
        try {
          queued += await context.sql.begin((tx) => sendTo(tx, context, { user_id, time, before, now }));
        } catch (err) {
          // one that fails must not hold up the others; it waits as before
          context.log.error({ err, user_id }, 'Mail of notifications failed for one user');
        }
      }
      seen += users.length;
      if (users.length < batch) break;
      after = users.at(-1)!;
    }
  }
  return queued;
}

async function sendTo(
  tx: Db,
  context: Sending,
  due: { user_id: string; time: (typeof times)[number]; before: Date; now: Date },
): Promise<number> {
  const { user_id, time, now } = due;
  const taken = await takeDue(tx, user_id, due);
  if (!taken) return 0;
  const { recipient, notifications } = taken;
  const actor: Actor = { ...recipient, scopes: 'all', interactive: false, email_verified: true };
  const names = await notificationNames(
    { sql: tx as Pool, settings: context.settings },
    notifications,
    actor,
  );
  const mails =
    time === 'now'
      ? writeAtOnce(recipient, notifications, names)
      : [writeDigest(recipient, notifications, { names, period: time })].filter((mail) => mail !== null);
  for (const mail of mails) await queueMail(tx, context, addressed(mail, user_id, now));
  return mails.length;
}
