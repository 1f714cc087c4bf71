import { type Command, Option } from 'commander';
import { decimalOfMinor } from '#db/money/billing/revenue/rules.ts';
import { payoutProviders } from '#db/money/payouts/providers/select.ts';
import { allPayouts } from '#db/money/payouts/read.ts';
import { type PayoutState, payoutStates } from '#db/money/payouts/rules.ts';
import { type Decision, retryPayout, settleByHand } from '#db/money/payouts/settle-by-hand.ts';
import { showTaxForm } from '#db/money/payouts/tax/local.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { operator } from '#db/platform/people/rules.ts';
import { UserError } from '../user-error.ts';
import { positive, print } from './print.ts';
import { withContext } from './with-context.ts';

/** `payouts`: what creators withdraw, and their tax forms. */
export function payoutCommands(program: Command): void {
  const payouts = program.command('payouts').description('Manages what creators withdraw.');
  payouts
    .command('list')
    .description('Lists payouts, the latest first.')
    .addOption(new Option('--state <state>', 'only those in this state').choices([...payoutStates]))
    .option('--limit <count>', 'number of payouts', positive, 50)
    .option('--json', 'as JSON')
    .action(async ({ state, limit, json }) => {
      const filter = { state: (state ?? null) as PayoutState | null, limit: Math.min(limit, 10_000) };
      const found = await withContext(async ({ sql }) => await allPayouts(sql, filter));
      if (json) print(found, true);
      else
        print(
          found.map((one) => ({
            ...{ id: one.id, user: one.username, state: one.state, provider: one.provider },
            ...{ method: one.method_name, amount: decimalOfMinor(one.amount_minor) },
            ...{ fee: decimalOfMinor(one.fee_minor), created: one.created, failure: one.failure ?? '' },
          })),
        );
    });
  payouts
    .command('show <payout>')
    .description('Prints everything about a payout as JSON.')
    .action(async (id) => print(await withContext(async ({ sql }) => [await payoutOf(sql, id)]), true));
  payouts
    .command('retry <payout>')
    .description(
      'Asks the provider of an open payout now what became of it, and sends it if it never arrived there.',
    )
    .action(async (id) => {
      const state = await withContext(async ({ sql, settings, log, now }) => {
        const context = { sql, providers: payoutProviders(settings, sql), log };
        return await retryPayout(context, operator, id, now());
      });
      console.log(state);
    });
  payouts
    .command('settle <payout>')
    .description(
      'Says what became of a payout that hangs: its provider is asked first, and its word counts when it knows.',
    )
    .option('--failed', 'it was not paid, and will not be: its money returns to the balance')
    .option('--paid', 'it was paid')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option(
      '--sure',
      'also when its provider can’t be asked or says that it is on its way: it may be paid twice',
    )
    .action(async (id, { failed = false, paid = false, reason, sure = false }) => {
      if (failed === paid) throw new UserError('Say either --failed or --paid.');
      const decision: Decision = { state: failed ? 'failed' : 'success', reason, is_sure: sure };
      await withContext(async ({ sql, settings, log, now }) => {
        const context = { sql, providers: payoutProviders(settings, sql), log };
        await settleByHand(context, operator, id, decision, now());
      });
      console.log(decision.state);
    });
  payouts
    .command('tax-form <user>')
    .description('Prints the tax form that a user signed; the audit log says that it was shown.')
    .action(async (name) => {
      const form = await withContext(async (context) => {
        const user = await userByIdOrName(context, name);
        if (!user) throw new Refused('not_found', { id: name });
        return await context.sql.begin((tx) =>
          showTaxForm(tx, context.sealer, operator, user.id, context.now()),
        );
      });
      print([form], true);
    });
}

async function payoutOf(sql: Parameters<typeof allPayouts>[0], id: string) {
  const [payout] = await allPayouts(sql, { id, limit: 1 });
  if (!payout) throw new Refused('payout_not_found');
  return payout;
}
