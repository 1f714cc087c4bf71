import type { MailTime } from '../notifications/rules.ts';

/** When daily mails are made, in UTC: the morning of Europe, the evening of East Asia. */
const digest_hour = 7;
/** Weekly mails are made on Mondays. */
const digest_weekday = 1;
const day_ms = 86_400_000;

/**
 * What was written before this moment is due to be mailed at `now`. For digests it is the last time that they were made, so
 * that a day without a running control plane delays them and loses none.
 */
export function dueBefore(time: Exclude<MailTime, 'off'>, now: Date): Date {
  if (time === 'now') return now;
  const slot = new Date(now);
  slot.setUTCHours(digest_hour, 0, 0, 0);
  if (slot > now) slot.setTime(slot.getTime() - day_ms);
  if (time === 'weekly') {
    const days = (slot.getUTCDay() - digest_weekday + 7) % 7;
    slot.setTime(slot.getTime() - days * day_ms);
  }
  return slot;
}

/** What waited longer is not mailed anymore: mail was off, or the address was not verified. In days. */
export const stale_days = 14;
