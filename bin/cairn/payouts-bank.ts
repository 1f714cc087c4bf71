import { access, link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import {
  bankTerms,
  confirmBankFile,
  exportBankFile,
  max_transfers,
  rewriteBankFile,
  type WrittenFile,
} from '#db/money/payouts/providers/bank/files.ts';
import { returnBankTransfers } from '#db/money/payouts/providers/bank/returns.ts';
import { decimalOf } from '#db/money/payouts/providers/decimal.ts';
import { payoutProviders } from '#db/money/payouts/providers/select.ts';
import { reconcilePayouts } from '#db/money/payouts/reconcile.ts';
import { settlePayout } from '#db/money/payouts/settle.ts';
import { UserError } from '../user-error.ts';
import { print } from './print.ts';
import { withContext } from './with-context.ts';

const day_ms = 86_400_000;

/** `payouts export`, `confirm`, `return` and `reconcile`: files for the bank, and providers' books. */
export function bankPayoutCommands(program: Command): void {
  const payouts =
    program.commands.find((one) => one.name() === 'payouts') ??
    program.command('payouts').description('Manages payouts of creators.');
  payouts
    .command('export')
    .description(
      'Writes bank transfers that wait into a file for the bank (ISO 20022 pain.001); prints its message id.',
    )
    .requiredOption('--out <file>', 'file to write, which must not exist')
    .option('--rate <number>', 'how many euros one dollar is, such as 0.92; BANK_EXCHANGE_RATE otherwise')
    .option('--day <date>', 'day on which the bank pays, such as 2026-11-30; today otherwise')
    .option('--again <message-id>', 'writes a file again that is not confirmed yet')
    .action(async ({ out, rate, day, again }) => {
      await checkTarget(out);
      const file = await withContext(async ({ sql, settings, now }) =>
        again
          ? await rewriteBankFile(sql, again)
          : await exportBankFile(sql, bankTerms(settings, { rate, day }, now()), now()),
      );
      if (!file) throw new UserError('No bank transfer is waiting, so nothing was written.');
      await write(out, file);
      const { id, transfers, total_minor, currency } = file;
      print([{ 'message id': id, transfers, total: `${decimalOf(total_minor)} ${currency}` }]);
      if (transfers === max_transfers) console.error('More may be waiting: export again into another file.');
    });
  payouts
    .command('confirm')
    .argument('<message-id>', 'of a file that was exported')
    .description('Says that the bank paid the transfers of a file, apart from those that failed.')
    .option(
      '--failed <keys...>',
      'end-to-end ids of transfers that the bank did not pay: their money returns to the balance',
    )
    .action(async (id: string, { failed = [] }: { failed?: string[] }) => {
      const outcomes = await withContext(async ({ sql, now }) => {
        const confirmed = await confirmBankFile(sql, id, failed, now());
        for (const { key, state } of confirmed) {
          const failure = state === 'failed' ? 'receiver_refuses' : null;
          await sql.begin(
            async (tx) => await settlePayout(tx, key, { reference: key, state, failure }, now()),
          );
        }
        return confirmed;
      });
      const lost = outcomes.filter(({ state }) => state === 'failed').length;
      print([{ 'message id': id, paid: outcomes.length - lost, failed: lost }]);
    });
  payouts
    .command('return')
    .argument('<keys...>', 'end-to-end ids of transfers that were confirmed')
    .description('Says that the bank sent transfers back: their money returns to the creators, who are told.')
    .requiredOption('--reason <text>', 'what the bank says, such as AC04 for a closed account')
    .action(async (keys: string[], { reason }: { reason: string }) => {
      const returned = await withContext(
        async ({ sql, now }) => await returnBankTransfers(sql, keys, reason, now()),
      );
      print(
        returned.map(({ key, amount_minor, was_known }) => ({
          ...{ payout: key, sent: decimalOf(amount_minor), returned: was_known ? 'before' : 'now' },
        })),
      );
    });
  payouts
    .command('reconcile')
    .description(
      'Compares payouts with the books of their providers; prints differences, and fails when there are any.',
    )
    .option('--from <date>', 'first day in UTC; 31 days ago otherwise', dayGiven)
    .option(
      '--until <date>',
      'last day in UTC; 4 hours ago otherwise, as lists of providers are late',
      dayGiven,
    )
    .option('--json', 'as JSON')
    .action(async ({ from, until, json }) => {
      const report = await withContext(async ({ sql, settings, now }) => {
        const end = until ? new Date(until.getTime() + day_ms) : new Date(now().getTime() - day_ms / 6);
        const start = from ?? new Date(end.getTime() - 31 * day_ms);
        if (start >= end) throw new UserError('--from must be before --until.');
        return await reconcilePayouts(sql, payoutProviders(settings, sql), { from: start, until: end });
      });
      if (json) console.log(JSON.stringify(report, null, 2));
      else {
        print(report.providers.map(({ differences, ...rest }) => ({ ...rest, ...differences })));
        if (report.lines.length > 0) print(report.lines);
      }
      const count = report.providers
        .flatMap(({ differences }) => Object.values(differences))
        .reduce((a, b) => a + b, 0);
      if (count > 0) throw new UserError(`Providers and this site differ in ${count} places.`);
    });
}

function dayGiven(text: string): Date {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw new UserError(`${text} is not a day such as 2026-11-27.`);
  return day;
}

/** Refused before anything is marked as written: a file that exists, or a folder that cannot be written to. */
async function checkTarget(out: string): Promise<void> {
  const exists = await access(out).then(
    () => true,
    () => false,
  );
  if (exists) throw new UserError(`${out} exists already. Choose another name.`);
  const trial = `${out}.${process.pid}.tmp`;
  try {
    await (await open(trial, 'wx', 0o600)).close();
    await unlink(trial);
  } catch (error) {
    throw new UserError(`${dirname(out)} can’t be written to: ${(error as Error).message}`);
  }
}

/** Written whole or not at all, and never over another file. What it pays is kept: it can be written again. */
async function write(out: string, { id, xml }: WrittenFile): Promise<void> {
  const part = `${out}.${process.pid}.tmp`;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(xml);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(part, out);
  } catch (error) {
    const again = `npm run -s cairn -- payouts export --again ${id} --out <file>`;
    throw new UserError(`${out} can’t be written: ${(error as Error).message}\nNothing is lost: ${again}`);
  } finally {
    await unlink(part).catch(() => {});
  }
}
