import type { AppContext } from '../context.ts';
import { balanceOf } from '../money/billing/revenue/balance.ts';
import { divideRevenue } from '../money/billing/revenue/divide.ts';
import { bookIncome } from '../money/billing/revenue/income.ts';
import { releaseRevenue } from '../money/billing/revenue/release.ts';
import { dayOf, monthOf, releaseOf } from '../money/billing/revenue/rules.ts';
import { rememberDetails } from '../money/payouts/details.ts';
import { payoutProviders } from '../money/payouts/providers/select.ts';
import { requestPayout } from '../money/payouts/request.ts';
import { taxFormProvider } from '../money/payouts/tax/select.ts';
import type { Actor } from '../platform/people/rules.ts';
import { random } from './art/random.ts';
import { demoId } from './ids.ts';
import { earning_d } from './usage.ts';

const day_ms = 86_400_000;
/** What the site earns on its first and on its last day, in US cents. */
const [first_minor, last_minor] = [15_000, 31_000] as const;
/** What part of their balance the creator withdrew, and how long after the first release. */
const withdrawn = { part: 0.7, days: 3 };

type Services = Pick<AppContext, 'sql' | 'settings' | 'sealer' | 'log' | 'now'>;

/**
 * The income of the last months, divided and released on the days on which it would have been, and a withdrawal of
 * `creator`'s that arrived. All of it is booked as real money is, each once however often this runs.
 */
export async function seedEarnings(services: Services, creator: Actor): Promise<void> {
  const { sql, now } = services;
  const at = now().getTime();
  const days = Array.from({ length: earning_d }, (_, ago) =>
    dayOf(new Date(at - (earning_d - ago) * day_ms)),
  );
  await sql.begin(async (tx) => {
    for (const [index, day] of days.entries()) await bookDay(tx, day, index);
    // the log says when it was entered
    await tx`
      update events set created = (data ->> 'day')::date + interval '30 hours'
      where name = 'income.entered' and data ->> 'day' = any(${days})`;
  });
  const releases = [...new Set(days.map(monthOf))].map(releaseOf).filter((when) => when.getTime() < at);
  for (const [index, when] of releases.entries()) {
    // before the month is released: what is divided later belongs to the next one
    await divideRevenue(sql, new Date(when.getTime() - 1));
    await releaseRevenue(sql, when);
    if (index === 0) await withdraw(services, creator, new Date(when.getTime() + withdrawn.days * day_ms));
  }
  await divideRevenue(sql, now());
  await sql`update events set created = p.created from payouts p where data ->> 'payout_id' = p.id`;
}

async function bookDay(tx: Parameters<typeof bookIncome>[0], day: string, index: number): Promise<void> {
  const weekend = [0, 6].includes(new Date(day).getUTCDay()) ? 1.3 : 1;
  const chance = random(`income:${day}`).range(0.95, 1.05);
  const grown = first_minor + ((last_minor - first_minor) * index) / earning_d;
  const income = {
    ...{
      day,
      source: 'ads' as const,
      reference: `demo:${day}`,
      amount_minor: Math.round(grown * weekend * chance),
    },
    ...{
      fees_minor: 0,
      impressions: Math.round(grown * weekend),
      note: '',
      entered_by: demoId('user admin'),
    },
  };
  await bookIncome(tx, income, new Date(Date.parse(day) + 30 * 3_600_000));
}

/** Where nobody but the test provider pays: no money moves. */
async function withdraw(services: Services, actor: Actor, when: Date): Promise<void> {
  const { sql, settings, sealer, log } = services;
  if (!settings.PAYOUTS.includes('test')) return;
  const op_id = demoId(`withdrawal of ${actor.username}`);
  const [before] = await sql`select 1 from payouts where user_id = ${actor.user_id} and op_id = ${op_id}`;
  if (before) return;
  const { available_minor } = await balanceOf(sql, actor.user_id, when);
  const amount_minor = Math.floor((available_minor * withdrawn.part) / 100) * 100;
  const address = `${actor.username}@demo.invalid`;
  const to = { country: 'DE', type: 'paypal' as const, address, receiver: '' };
  // they used it before, so no mail warns of a new address
  await sql.begin((tx) => rememberDetails(tx, actor.user_id, to));
  const context = {
    ...{ sql, log, taxForms: taxFormProvider(settings), mailing: { settings, sealer } },
    providers: payoutProviders({ ...settings, PAYOUTS: ['test'] }, sql),
  };
  const proved = { ...actor, proved: when.toISOString() };
  await requestPayout(context, proved, { op_id, ...to, method_id: 'paypal', amount_minor }, when);
}
