import { z } from 'zod';
import { commaList, exactAddress } from './setting-shapes.ts';

const isAddress = (text: string): boolean => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text) && text.length <= 254;
const max_addresses = 10;

/** Where staff hear of what they have to know. */
export const staffSettings = {
  STAFF_EMAIL: commaList
    .refine((all) => all.length <= max_addresses && all.every(isAddress))
    .describe(`up to ${max_addresses} email addresses with commas between`),
  STAFF_WEBHOOK_URL: exactAddress.optional(),
  STAFF_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/)
    .optional()
    .describe('whsec_ and at least 24 bytes in Base64'),
  STAFF_CHAT_URL: exactAddress.optional().describe('the address of a Discord webhook'),
};

/** What is missing of the webhook of staff, written for the operator; null when nothing is. */
export function whyNotStaffSettings(given: {
  STAFF_WEBHOOK_URL?: unknown;
  STAFF_WEBHOOK_SECRET?: unknown;
}): string | null {
  const { STAFF_WEBHOOK_URL: url, STAFF_WEBHOOK_SECRET: secret } = given;
  return (url === undefined) === (secret === undefined)
    ? null
    : 'STAFF_WEBHOOK_URL and STAFF_WEBHOOK_SECRET need each other: set both or none.';
}
