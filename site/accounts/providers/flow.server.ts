import { generateCodeVerifier } from 'arctic';
import { z } from 'zod';
import { Refused } from '#db/platform/errors.ts';
import { openFlow, takeFlow } from '#db/platform/flows/write.ts';
import { randomText } from '#db/platform/id.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import { providerIds } from './provider.ts';

/** What both halves of a sign-in by a provider share, as stored between them. */
const shape = z.object({
  provider: z.enum(providerIds),
  verifier: z.string(),
  nonce: z.string(),
  /** The hash of what names the browser in which it began. */
  browser: z.string(),
  to: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('page'), path: z.string() }),
    z.object({ kind: z.literal('program'), url: z.string() }),
  ]),
});
export type ProviderFlow = z.output<typeof shape>;
/** The page or program that it leads back to, also where it failed. */
export type FlowReturn = ProviderFlow['to'];

interface Opened {
  flow: ProviderFlow;
  state: string;
}

/** Opens a sign-in; `link_to` is the user who adds the account to their own. */
export async function openProviderFlow(
  db: Db,
  given: Pick<ProviderFlow, 'provider' | 'to'> & { browser: string; link_to: string | null; now: Date },
): Promise<Opened> {
  const { provider, to, browser, link_to, now } = given;
  const flow: ProviderFlow = {
    provider,
    to,
    verifier: generateCodeVerifier(),
    nonce: randomText(32),
    browser: hashToken(browser),
  };
  const state = await openFlow(db, 'provider', { user_id: link_to, data: { ...flow }, now });
  return { flow, state };
}

/**
 * Ends the sign-in of `state`: it counts once. Refuses `flow_invalid` when it is unknown, used or expired; `browser` is what
 * names the asking browser.
 */
export async function takeProviderFlow(
  db: Db,
  state: string,
  now: Date,
): Promise<{ flow: ProviderFlow; link_to: string | null }> {
  const taken = await takeFlow(db, 'provider', state, now);
  if (!taken) throw new Refused('flow_invalid');
  return { flow: shape.parse(taken.data), link_to: taken.user_id };
}

/** Refuses `sign_in_other_browser` when another browser began it: somebody was sent the end of a sign-in. */
export function assertSameBrowser({ browser }: ProviderFlow, asking: string | null): void {
  if (asking === null || hashToken(asking) !== browser) throw new Refused('sign_in_other_browser');
}
