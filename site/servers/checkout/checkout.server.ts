import type { APIContext } from 'astro';
import { availableCapacity, type Capacity, hasNodes } from '#db/billing/capacity.ts';
import { hadTrial, type SubscriptionView, subscriptionOf } from '#db/billing/read.ts';
import { type Plan, ramGbOf, standardPlans } from '#db/billing/rules.ts';
import { Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';
import { sizeOf } from '#db/servers/sizes.ts';
import { requireActor } from '../../http/require-actor.ts';

/** The current capacity for each standard plan in each region. */
export async function loadCapacity({
  locals,
}: APIContext): Promise<Record<keyof typeof standardPlans, Capacity>> {
  const { services, now } = locals;
  const room = (plan: keyof typeof standardPlans) =>
    availableCapacity(services.sql, sizeOf(standardPlans[plan].gb), now);
  const [small, medium, large] = await Promise.all([room('small'), room('medium'), room('large')]);
  return { small, medium, large };
}

/** Why nothing can be ordered at all: no node, or none with capacity; null while orders are possible. */
export async function soldOut({ locals }: APIContext, smallest: Capacity): Promise<'none' | 'full' | null> {
  if (Object.values(smallest).some((rooms) => rooms >= 1)) return null;
  return (await hasNodes(locals.services.sql)) ? 'full' : 'none';
}

/** The capacity for one plan in each region. */
export const capacityFor = ({ locals }: APIContext, plan: Plan, gb: number): Promise<Capacity> =>
  availableCapacity(locals.services.sql, sizeOf(ramGbOf(plan, gb)), locals.now);

/** The signed-in buyer; null when the visitor must sign in first. */
export async function loadBuyer(page: APIContext): Promise<{ actor: Actor; tried: boolean }> {
  const actor = await requireActor(page);
  return { actor, tried: await hadTrial(page.locals.services.sql, actor.user_id) };
}

/** The subscription of a server and its name, or a redirect to sign-in. Refuses `server_not_found`. */
export async function loadBilling(
  page: APIContext,
  server_id: string,
): Promise<{ subscription: SubscriptionView; name: string }> {
  const actor = await requireActor(page);
  const subscription = await subscriptionOf(page.locals.services.sql, actor, server_id);
  if (!subscription) throw new Refused('server_not_found');
  return { subscription, name: subscription.name };
}
