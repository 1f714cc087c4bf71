import { assertAllowed } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Mailing, mailMode, queueMail } from '../mail/queue.ts';
import { type StaffChannel, type StaffNotice, staffChannels, whyNotSeeStaffNotices } from './rules.ts';

/** A notice in words; `path` is one of this site. Given by the caller: `db/` has no texts. */
type StaffNoticeWriter = (notice: StaffNotice) => { title: string; text: string; path: string };

/** What notifying staff needs of the process. */
export interface StaffNotifying extends Mailing {
  write: StaffNoticeWriter;
}

/** The addresses besides mail that are configured. */
export const channelsOf = ({
  STAFF_WEBHOOK_URL,
  STAFF_CHAT_URL,
}: {
  STAFF_WEBHOOK_URL?: string | undefined;
  STAFF_CHAT_URL?: string | undefined;
}): StaffChannel[] =>
  staffChannels.filter((one) => (one === 'webhook' ? STAFF_WEBHOOK_URL : STAFF_CHAT_URL) !== undefined);

/**
 * Tells staff, once for each `key`, in the caller's transaction: queues a mail to each address of STAFF_EMAIL and a call
 * for the webhook and the chat. Without any of them it is only listed. Gives whether it was new.
 */
export async function notifyStaff(
  tx: Db,
  { settings, sealer, write }: StaffNotifying,
  notice: StaffNotice & { key: string },
  now: Date,
): Promise<boolean> {
  const { kind, key, data } = notice;
  const id = newId();
  const mails = mailMode(settings) === 'off' ? [] : settings.STAFF_EMAIL;
  const { count } = await tx`
    insert into staff_notices ${tx({ id, kind, key, data: tx.json(data as never), mails: mails.length, created: now })}
    on conflict (key) do nothing`;
  if (count === 0) return false;
  const { path, ...said } = write(notice);
  for (const to of mails)
    await queueMail(
      tx,
      { settings, sealer },
      { template: 'staff_notice', to, is_proven: true, user_id: null, data: { ...said, link: path }, now },
    );
  for (const channel of channelsOf(settings))
    await tx`insert into staff_notice_calls ${tx({ id: newId(), notice_id: id, channel, due: now })}`;
  return true;
}

/** Sends a test to everywhere staff are notified. Refuses `admins_only`. */
export async function testStaffNotices(
  tx: Db,
  notifying: StaffNotifying,
  actor: Actor,
  now: Date,
): Promise<void> {
  assertAllowed(whyNotSeeStaffNotices(actor));
  const [user] = await tx<[{ username: string }]>`select username from users where id = ${actor.user_id}`;
  await notifyStaff(tx, notifying, { kind: 'test', key: `test ${newId()}`, data: user }, now);
}

/** Deletes notices after 90 days. Gives how many. */
export async function deleteOldStaffNotices(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - 90 * 24 * 3_600_000);
  return (await db`delete from staff_notices where created < ${before}`).count;
}
