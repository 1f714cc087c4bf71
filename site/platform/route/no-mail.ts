import { mailMode } from '#db/messages/mail/queue.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Settings } from '#db/platform/runtime/env.ts';

const about_verification: readonly string[] = ['email_unverified', 'payout_email_unverified'];

/** A refusal for want of a verified address, where no link can be mailed: it says who verifies addresses instead. */
export const withoutMail = <R extends Refused | null>(refused: R, settings: Settings): R | Refused =>
  refused && about_verification.includes(refused.code) && mailMode(settings) === 'off'
    ? new Refused('email_unverified_no_mail')
    : refused;
