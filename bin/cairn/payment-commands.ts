import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { AppContext } from '#db/context.ts';
import { accountIdOf } from '#db/moderation/staff/account.ts';
import { type CreditInput, creditDays } from '#db/money/billing/desk/credits.ts';
import { chargesOf } from '#db/money/billing/desk/read.ts';
import { paymentProcessor } from '#db/money/billing/processors/select.ts';
import { refundByStaff } from '#db/money/billing/staff-refunds/write.ts';
import { lazyQueue } from '#db/platform/jobs/lazy-queue.ts';
import { operator } from '#db/platform/people/rules.ts';
import { UserError } from '../user-error.ts';
import { positive, print } from './print.ts';
import { withContext } from './with-context.ts';

/** `billing charges|refund|credit`: what the operator does with somebody's payments. */
export function paymentCommands(billing: Command): void {
  billing
    .command('charges <user>')
    .description('Lists the payments of a user (ID, name or email address), newest first, in minor units.')
    .option('--page <number>', 'the page of the list', positive, 1)
    .option('--json', 'as JSON')
    .action(async (user, { page, json }) => {
      const charges = await withContext(async (context) => {
        const id = await accountIdOf(context, user);
        if (!id) throw new UserError(`There is no user ${user}.`);
        return (await chargesOf(context.sql, id, page)).charges;
      });
      if (json) print(charges, true);
      else
        print(
          charges.map(({ id, state, amount_minor, currency, net_minor, created, dispute }) => ({
            ...{ id, state, amount: amount_minor, currency, net: net_minor, created, dispute: dispute ?? '' },
          })),
        );
    });

  billing
    .command('refund <charge>')
    .description('Gives back what is left of a payment, or a part of it; prints the ID of the refund.')
    .requiredOption('--reason <text>', 'why, for staff')
    .option('--amount <minor>', 'in minor units, such as cents', positive)
    .option('--with-service', 'ends the service now: its server is deleted')
    .option('--op-id <uuid>', 'the same one twice is one refund', uuid)
    .action(async (charge_id, { reason, amount, withService, opId }) => {
      const { refund_id } = await withContext((context) =>
        withBoard(context, async (board) => {
          const input = {
            ...{ op_id: opId ?? randomUUID(), charge_id, amount_minor: amount ?? null, seen_minor: null },
            ...{ reason, takes_service: withService === true },
          };
          return await context.sql.begin((tx) =>
            refundByStaff(
              tx,
              { board, payments: paymentProcessor(context.settings) },
              operator,
              input,
              context.now(),
            ),
          );
        }),
      );
      console.log(refund_id);
    });

  billing
    .command('credit <days>')
    .description('Extends subscriptions by days; prints those that got them.')
    .requiredOption('--reason <text>', 'why, for staff')
    .option('--subscription <ids...>', 'these subscriptions')
    .option('--node <names...>', 'those of the servers on these nodes')
    .option('--region <name>', 'those of the servers in this region')
    .option('--op-id <uuid>', 'the same one twice gives the days once', uuid)
    .option('--json', 'as JSON')
    .action(async (text, { reason, subscription, node, region, opId, json }) => {
      const targets: Array<CreditInput['target']> = [
        ...(subscription ? [{ subscription_ids: subscription }] : []),
        ...(node ? [{ nodes: node }] : []),
        ...(region ? [{ region }] : []),
      ];
      const [target] = targets;
      if (!target || targets.length > 1)
        throw new UserError('Use one of --subscription, --node and --region.');
      const credited = await withContext(async ({ sql, now }) => {
        const input = { op_id: opId ?? randomUUID(), target, days: Number(text), reason };
        return await sql.begin((tx) => creditDays(tx, operator, input, now()));
      });
      print(credited, json);
    });
}

/** The job queue for one command. */
async function withBoard<T>(
  { settings, log }: Pick<AppContext, 'settings' | 'log'>,
  work: (board: Awaited<ReturnType<ReturnType<typeof lazyQueue>['queue']>>) => Promise<T>,
): Promise<T> {
  const queue = lazyQueue(settings, log);
  try {
    return await work(await queue.queue());
  } finally {
    await queue.close();
  }
}

function uuid(text: string): string {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text))
    throw new InvalidArgumentError('It must be a UUID.');
  return text.toLowerCase();
}
