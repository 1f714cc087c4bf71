import type { APIContext } from 'astro';
import { paymentsOf, subscriptionOf } from '#db/billing/read.ts';
import type { PaymentView, SubscriptionView } from '#db/billing/view.ts';
import { Refused } from '#db/errors.ts';
import { requireActor } from '../../../http/require-actor.ts';

/** The subscription of a server and a page of its payments, or a redirect to sign-in. Refuses `server_not_found`. */
export async function loadBilling(
  page: APIContext,
  server_id: string,
): Promise<{ subscription: SubscriptionView; payments: PaymentView[]; page: number; pages: number }> {
  const actor = await requireActor(page);
  const { sql } = page.locals.services;
  const subscription = await subscriptionOf(sql, actor, server_id);
  if (!subscription) throw new Refused('server_not_found');
  const requested = Number(page.url.searchParams.get('page') ?? 1);
  const listed = await paymentsOf(sql, server_id, Number.isSafeInteger(requested) ? requested : 1);
  return { subscription, ...listed };
}
