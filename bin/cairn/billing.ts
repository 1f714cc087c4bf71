import { type Command, InvalidArgumentError, Option } from 'commander';
import { ledgerReport } from '#db/money/billing/desk/report.ts';
import { firstOfMonth, maxReportMonths, reportRange } from '#db/money/billing/desk/rules.ts';
import { paymentProcessor } from '#db/money/billing/processors/select.ts';
import { reconcileProcessor } from '#db/money/billing/reconcile-processor.ts';
import { addIncome, incomes } from '#db/money/billing/revenue/income.ts';
import { reconcileLedger } from '#db/money/billing/revenue/reconcile.ts';
import { decimalOfMinor, type IncomeSource, incomeSources } from '#db/money/billing/revenue/rules.ts';
import { operator } from '#db/platform/people/rules.ts';
import { UserError } from '../user-error.ts';
import { paymentCommands } from './payment-commands.ts';
import { positive, print } from './print.ts';
import { withContext } from './with-context.ts';

/** `billing`: the income that creators share, and the ledger. */
export function billingCommands(program: Command): void {
  const billing = program.command('billing').description('Manages money.');
  const income = billing.command('income').description('Manages the income that creators share.');
  income
    .command('add')
    .description(
      'Enters income of a day that is over, in US dollars; prints its ID. Creators get their share within an hour.',
    )
    .requiredOption('--day <date>', 'day in UTC on which it was earned, such as 2026-11-27')
    .requiredOption('--amount <dollars>', 'amount with at most two decimals, such as 12.34', dollars)
    .requiredOption(
      '--reference <text>',
      'what the payer calls it: the same one is refused when entered again',
    )
    .addOption(
      new Option('--source <source>', 'where it comes from').choices([...incomeSources]).default('ads'),
    )
    .option(
      '--impressions <count>',
      'ads that were shown, for the fees of AD_SERVING_FEE and AD_CHECK_FEE',
      positive,
      0,
    )
    .option('--note <text>', 'a note for staff', '')
    .action(async ({ day, amount: amount_minor, reference, source, impressions, note }) => {
      const id = await withContext(async ({ sql, settings, now }) => {
        const fee_micros = settings.AD_SERVING_FEE + settings.AD_CHECK_FEE;
        const input = { day, amount_minor, reference, source: source as IncomeSource, impressions, note };
        return (await sql.begin(async (tx) => await addIncome(tx, operator, input, fee_micros, now()))).id;
      });
      console.log(id);
    });
  income
    .command('list')
    .description('Lists entries of income, those of the latest days first.')
    .option('--limit <count>', 'number of entries', positive, 50)
    .option('--json', 'as JSON')
    .action(async ({ limit, json }) => {
      const entries = await withContext(async ({ sql }) => await incomes(sql, Math.min(limit, 10_000)));
      if (json) print(entries, true);
      else
        print(
          entries.map((entry) => ({
            ...{ day: entry.day, source: entry.source, amount: decimalOfMinor(entry.amount_minor) },
            ...{ fees: decimalOfMinor(entry.fees_minor), reference: entry.reference },
            ...{
              shared: entry.is_divided ? 'yes' : 'not yet',
              by: entry.entered_by ?? 'operator',
              note: entry.note,
            },
          })),
        );
    });
  billing
    .command('report')
    .description(
      'Prints what came into the accounts of the ledger and what left them by month, in minor units.',
    )
    .option(
      '--from <month>',
      'the first month in UTC, such as 2026-01; eleven months before the last one',
      month,
    )
    .option('--until <month>', 'the last month; this one', month)
    .option('--json', 'as JSON')
    .action(async ({ from = '', until = '', json }) => {
      const lines = await withContext(async ({ sql, now }) => {
        const range = reportRange(from, until, now());
        if (from && firstOfMonth(from) !== range.from)
          throw new UserError(
            `The report must begin before it ends, at most ${maxReportMonths} months before that.`,
          );
        return await ledgerReport(sql, range);
      });
      print(lines, json);
    });
  paymentCommands(billing);
  billing
    .command('reconcile')
    .description(
      'Compares the ledger with what it is about, and payments and refunds with the payment processor where that keeps books; prints differences, and fails when there are any.',
    )
    .option('--days <count>', 'of the payment processor', positive, 35)
    .option('--json', 'as JSON')
    .action(async ({ days, json }) => {
      const { differences, fees } = await withContext(async ({ sql, settings, now }) => {
        const from = new Date(now().getTime() - Math.min(days, 3_660) * 86_400_000);
        const own = await reconcileLedger(sql);
        const report = await reconcileProcessor(sql, paymentProcessor(settings), from, now());
        return { differences: [...own, ...(report?.differences ?? [])], fees: report?.fees ?? [] };
      });
      print(differences, json);
      for (const { currency, amount_minor } of fees)
        console.error(`The payment processor kept fees of ${amount_minor} ${currency} in minor units.`);
      if (differences.length > 0) throw new UserError(`The ledger differs in ${differences.length} places.`);
    });
}

/** Dollars as minor units: the rules say which amounts are refused. */
function dollars(text: string): number {
  const [, whole, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (!whole) throw new InvalidArgumentError('It must be dollars with at most two decimals, such as 12.34.');
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}

function month(text: string): string {
  if (!firstOfMonth(text)) throw new InvalidArgumentError('It must be a month such as 2026-11.');
  return text;
}
