import { z } from 'zod';
import { addLinkedUser, type ProviderIdentity } from '#db/accounts/linked-accounts/write.ts';
import { subscribeVerified } from '#db/messages/mail/newsletter.ts';
import { Refused } from '#db/platform/errors.ts';
import { failFlow, openFlow, readFlow, takeFlow } from '#db/platform/flows/write.ts';
import type { Db, Pool } from '#db/platform/postgres/sql.ts';

/** Somebody whom a provider named and who has no account here yet. */
const shape = z.object({
  provider: z.string(),
  issuer: z.string(),
  subject: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
});

export const openAccountFlow = async (db: Db, identity: ProviderIdentity, now: Date): Promise<string> =>
  await openFlow(db, 'provider_account', { data: { ...identity }, now });

/** Who wants an account, by the state; null when it is unknown, used or expired. */
export async function identityOfState(db: Db, state: string, now: Date): Promise<ProviderIdentity | null> {
  const flow = await readFlow(db, 'provider_account', state, now);
  return flow && shape.parse(flow.data);
}

/**
 * Creates the account of `state` with `username`, which gets the newsletter if wished, and gives its id; a refused name leaves the state open for another one, up
 * to 20 times. Refuses `flow_invalid`, and as `addLinkedUser` does.
 */
export async function createAccountOfState(
  sql: Pool,
  { state, username, newsletter, now }: { state: string; username: string; newsletter: boolean; now: Date },
): Promise<string> {
  try {
    return (await sql.begin(async (tx) => {
      const flow = await takeFlow(tx, 'provider_account', state, now);
      if (!flow) throw new Refused('flow_invalid');
      const user_id = await addLinkedUser(tx, { username, identity: shape.parse(flow.data), now });
      if (newsletter) await subscribeVerified(tx, user_id, now);
      return user_id;
    })) as string;
  } catch (error) {
    if (error instanceof Refused && error.code !== 'flow_invalid')
      await failFlow(sql, 'provider_account', state);
    throw error;
  }
}
