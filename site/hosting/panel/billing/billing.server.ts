import type { APIContext } from 'astro';
import { refusalDescription } from '#content/refusal-description.ts';
import { serverView } from '#db/hosting/servers/read.ts';
import { methodsOf } from '#db/money/billing/methods.ts';
import { sizesForServer } from '#db/money/billing/plan-change/offers.ts';
import { whyNotChangePlan } from '#db/money/billing/plan-change/rules.ts';
import { type PlanOutlook, previewPlanChange } from '#db/money/billing/plan-changes/write.ts';
import { paymentProcessor } from '#db/money/billing/processors/select.ts';
import { paymentsOf, subscriptionOf } from '#db/money/billing/read.ts';
import type { PaymentView, SubscriptionView } from '#db/money/billing/view.ts';
import { Refused } from '#db/platform/errors.ts';
import { requireActor } from '../../../platform/http/require-actor.ts';
import { type CardOption, savedOptions } from '../../checkout/card-options.ts';
import { wantedOf } from '../../checkout/plan-choice.ts';
import { soldSizes } from '../../checkout/plan-sizes.ts';

/** The subscription of a server, the cards that can pay for it, and a page of its payments, or a redirect to sign-in. Refuses `server_not_found`. */
export async function loadBilling(
  page: APIContext,
  server_id: string,
): Promise<{
  subscription: SubscriptionView;
  cards: CardOption[];
  listed: { payments: PaymentView[]; page: number; pages: number };
}> {
  const actor = await requireActor(page);
  const { sql, settings } = page.locals.services;
  const subscription = await subscriptionOf(sql, actor, server_id);
  if (!subscription) throw new Refused('server_not_found');
  const requested = Number(page.url.searchParams.get('page') ?? 1);
  const listed = await paymentsOf(sql, { server_id }, Number.isSafeInteger(requested) ? requested : 1);
  const { name, enabled } = paymentProcessor(settings);
  const methods = enabled ? await methodsOf(sql, actor.user_id, name) : [];
  const declined = subscription.state === 'failed' && subscription.failure !== 'authentication_required';
  const cards = savedOptions(page.locals, methods, { server_id, declined });
  return { subscription, cards, listed };
}

/** The dry run that an address asks for. */
export interface PlanOutlookShown {
  wanted: NonNullable<ReturnType<typeof wantedOf>>;
  /** Null when it is refused now. */
  change: PlanOutlook | null;
  /** Why it is refused, for people. */
  refused: string | null;
  /** Storage of the server now. */
  disk_mb: number;
}

/** The sizes that the machine of this server can hold, when its plan can be changed, and the dry run that the address asks for. */
export async function loadPlanOutlook(
  page: APIContext,
  { server_id, state, ram_mb }: SubscriptionView,
): Promise<{ offered: readonly number[] | null; outlook: PlanOutlookShown | null }> {
  const actor = await requireActor(page);
  const { sql, now } = page.locals.services;
  if (whyNotChangePlan(state) !== null) return { offered: null, outlook: null };
  const held = await sizesForServer(sql, server_id, soldSizes);
  // what it has already stays, on a machine of any size
  const offered = [...held, ram_mb / 1024];
  const wanted = wantedOf(page.url.searchParams);
  if (!wanted) return { offered, outlook: null };
  const { disk_mb } = await serverView(sql, actor, server_id, now());
  try {
    const change = await previewPlanChange(sql, actor, { server_id, ...wanted }, now());
    return { offered, outlook: { wanted, change, refused: null, disk_mb } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return {
      offered,
      outlook: {
        wanted,
        change: null,
        refused: refusalDescription(error, page.locals.messages.locale),
        disk_mb,
      },
    };
  }
}
