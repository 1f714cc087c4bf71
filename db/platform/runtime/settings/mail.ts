import { z } from 'zod';
import { commaList, exactAddress, type Setting } from './shapes.ts';

const isAddress = (text: string): boolean => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text) && text.length <= 254;
const max_addresses = 10;

/** Who carries mails, and where staff hear of what they have to know. */
export const mailSettings = {
  SMTP_URL: {
    shape: z
      .url({ protocol: /^smtps?$/ })
      .describe('an address such as smtps://user:password@mail.example.org:465'),
    secret: true,
  },
  MAIL_FROM: {
    shape: z
      .string()
      .regex(/^(?:[^\p{Cc}<>@,;"]{0,100}<[^\s@<>,;"]+@[^\s@<>,;"]+>|[^\s@<>,;"]+@[^\s@<>,;"]+)$/u)
      .describe('an email address, or a name and an address as in Cairn <mail@example.org>'),
  },
  STAFF_EMAIL: {
    shape: commaList
      .refine((all) => all.length <= max_addresses && all.every(isAddress))
      .describe(`up to ${max_addresses} email addresses with commas between`),
    default: '',
  },
  STAFF_WEBHOOK_URL: { shape: exactAddress },
  STAFF_WEBHOOK_SECRET: {
    shape: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/)
      .describe('whsec_ and at least 24 bytes in Base64'),
    secret: true,
  },
  /** Whoever has it may write there. */
  STAFF_CHAT_URL: { shape: exactAddress.describe('the address of a Discord webhook'), secret: true },
} satisfies Record<string, Setting>;

/** What is missing of the webhook of staff, written for the operator; null when nothing is. */
export function whyNotStaffNotices(given: {
  STAFF_WEBHOOK_URL?: unknown;
  STAFF_WEBHOOK_SECRET?: unknown;
}): string | null {
  const { STAFF_WEBHOOK_URL: url, STAFF_WEBHOOK_SECRET: secret } = given;
  return (url === undefined) === (secret === undefined)
    ? null
    : 'STAFF_WEBHOOK_URL and STAFF_WEBHOOK_SECRET need each other: set both or none.';
}
