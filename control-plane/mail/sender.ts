import type { AppContext } from '#db/context.ts';
import {
  markAddressRefused,
  markSent,
  markUnsent,
  type OutgoingMail,
  postpone,
  takeMails,
} from '#db/messages/mail/outbox.ts';
import { listOf } from '#db/messages/mail/rules.ts';
import { backoffMs } from '#db/platform/runtime/backoff.ts';
import type { OutboxSender } from '../outbox/outbox-sender.ts';
import { type ComposedMail, composeMail } from './compose.ts';
import { openSmtp, type SmtpSession, type SmtpTimeouts } from './smtp.ts';
import { type SmtpError, verdictOf } from './verdict.ts';

type SenderContext = Pick<AppContext, 'settings' | 'sql' | 'sealer' | 'log' | 'now'>;

const connections = 4;
const batch = 40;
const retry_bounds = { min_ms: 30_000, max_ms: 3_600_000 };
/** About seven hours; then whoever greylists us will not relent. */
export const max_attempts = 12;
const max_answer = 500;

/**
 * Sends mails by the server of `smtp_url`, over a few connections at a time. Of what becomes of a mail the table `mails`
 * has the record; any number of processes may send.
 */
export function createMailSender(
  context: SenderContext,
  smtp_url: string,
  timeouts?: SmtpTimeouts,
): OutboxSender {
  const { sql, log, now } = context;

  const retryAt = (attempts: number): Date => new Date(now().getTime() + backoffMs(attempts, retry_bounds));

  /** What the table says of a mail that nobody sends. */
  const reasonNotToSend = (mail: OutgoingMail): string | null => {
    if (mail.is_late) return 'It waited for more than a day.';
    return mail.is_refused && listOf[mail.template] !== null ? 'The address was refused before.' : null;
  };

  /** Null for a mail that nobody can write, now or later. */
  async function compose(mail: OutgoingMail): Promise<ComposedMail | null> {
    try {
      return await composeMail(context, mail, now());
    } catch (err) {
      log.error({ err, mail_id: mail.id, template: mail.template }, 'Mail could not be written');
      return null;
    }
  }

  async function failed(mail: OutgoingMail, error: SmtpError): Promise<boolean> {
    const verdict = verdictOf(error);
    const answer = oneLine(error.response || error.message);
    log.warn(
      { mail_id: mail.id, template: mail.template, verdict, attempts: mail.attempts },
      'Mail not sent',
    );
    if (verdict === 'address') await markAddressRefused(sql, mail, answer, now());
    if (verdict === 'address' || verdict === 'mail') await markUnsent(sql, mail.id, 'refused', answer);
    else if (verdict === 'again' && mail.attempts >= max_attempts)
      await markUnsent(sql, mail.id, 'failed', answer);
    else await postpone(sql, mail.id, { due: retryAt(mail.attempts), answer, counts: verdict === 'again' });
    return verdict === 'server';
  }

  /** Sends mails of `queue` over one connection until it is empty. Gives whether the server is away. */
  async function worker(queue: OutgoingMail[]): Promise<boolean> {
    let session: SmtpSession | null = null;
    try {
      for (let mail = queue.shift(); mail; mail = queue.shift()) {
        const reason = reasonNotToSend(mail);
        const composed = reason ? null : await compose(mail);
        if (!composed) {
          await markUnsent(sql, mail.id, 'failed', reason ?? 'It could not be written: see the log.');
          continue;
        }
        try {
          session ??= await openSmtp(smtp_url, timeouts);
        } catch (error) {
          const answer = oneLine((error as Error).message);
          log.warn({ answer }, 'The mail server takes no mails, will retry');
          await postpone(sql, mail.id, { due: now(), answer, counts: false });
          return true;
        }
        try {
          await session.send(composed.envelope, composed.message);
          await markSent(sql, mail, now());
        } catch (error) {
          session.close();
          session = null;
          if (await failed(mail, error as SmtpError)) return true;
        }
      }
      return false;
    } finally {
      session?.close();
    }
  }

  return {
    batch,
    async step() {
      const queue = await takeMails(sql, now(), batch);
      const taken = queue.length;
      const away = await Promise.all(
        Array.from({ length: Math.min(connections, taken) }, () => worker(queue)),
      );
      // what no connection came to
      for (const { id } of queue) await postpone(sql, id, { due: now(), answer: '', counts: false });
      return { taken, is_server_away: away.includes(true) };
    },
  };
}

/** The reply of a mail server, fit for a table and a screen. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, max_answer);
