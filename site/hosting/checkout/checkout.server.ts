import type { APIContext } from 'astro';
import { sizeOf } from '#db/hosting/servers/sizes.ts';
import {
  availableCapacity,
  type Capacity,
  capacities,
  regionsWithNodes,
} from '#db/money/billing/capacity.ts';
import { methodsOf } from '#db/money/billing/methods.ts';
import { paymentProcessor } from '#db/money/billing/processors/select.ts';
import { hadTrial, type OwnPlan, plansOf } from '#db/money/billing/read.ts';
import { type Plan, type Region, ramGbOf, standardPlans } from '#db/money/billing/rules.ts';
import type { MethodView } from '#db/money/billing/view.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { requireActor } from '../../platform/http/require-actor.ts';
import { soldSizes } from './plan-sizes.ts';

/** The current capacity for each standard plan in each region. */
export async function loadCapacity({
  locals,
}: APIContext): Promise<Record<keyof typeof standardPlans, Capacity>> {
  const sizes = Object.values(standardPlans).map(({ gb }) => sizeOf(gb));
  const [small, medium, large] = await capacities(locals.services.sql, sizes, locals.now);
  return { small: small!, medium: medium!, large: large! };
}

/** The regions where servers can stand, full ones too: those with a node. */
export const openRegions = ({ locals }: APIContext): Promise<Region[]> =>
  regionsWithNodes(locals.services.sql);

/** The capacity for one plan in each region. */
export const capacityFor = ({ locals }: APIContext, plan: Plan, gb: number): Promise<Capacity> =>
  availableCapacity(locals.services.sql, sizeOf(ramGbOf(plan, gb)), locals.now);

/** The sizes of servers that some region has room for, in GB. */
export async function offeredSizes({ locals }: APIContext): Promise<readonly number[]> {
  const stocks = await capacities(locals.services.sql, soldSizes.map(sizeOf), locals.now);
  return soldSizes.filter((_, position) => Object.values(stocks[position]!).some((rooms) => rooms >= 1));
}

/** The signed-in buyer; null when the visitor must sign in first. */
export async function loadBuyer(
  page: APIContext,
): Promise<{ actor: Actor; tried: boolean; plans: OwnPlan[]; methods: MethodView[] }> {
  const actor = await requireActor(page);
  const { sql, settings } = page.locals.services;
  const [tried, plans, methods] = await Promise.all([
    hadTrial(sql, actor.user_id),
    plansOf(sql, actor),
    methodsOf(sql, actor.user_id, paymentProcessor(settings).name),
  ]);
  return { actor, tried, plans, methods };
}
