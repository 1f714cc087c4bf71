import type { Sealer } from '../../platform/secrets/seal.ts';
import { type MailList, mailLists } from './rules.ts';

/** Who leaves which list by a link in a mail. */
export interface Leaving {
  list: MailList;
  email: string;
  /** Null for addresses without an account. */
  user_id: string | null;
}

const purpose = 'unsubscribe';

/** The token of the link by which this recipient leaves the list: it says everything, so that none is stored. */
export const unsubscribeToken = (sealer: Sealer, { list, email, user_id }: Leaving): string =>
  sealer.seal(JSON.stringify({ list, email, user_id }), purpose);

/** Where a token leads people, who are asked there. */
export const unsubscribePath = (token: string): string => `/unsubscribe?token=${token}`;

/** What a token of ours says; null for any other text. */
export function readUnsubscribeToken(sealer: Sealer, token: string): Leaving | null {
  if (token.length > 2_000) return null;
  const text = sealer.open(token, purpose);
  if (text === null) return null;
  const leaving = JSON.parse(text) as Leaving;
  return mailLists.includes(leaving.list) ? leaving : null;
}
