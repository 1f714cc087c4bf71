import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, it, vi } from 'vitest';
import { reconcileLedger } from '#db/money/billing/revenue/reconcile.ts';
import type { PayoutProvider } from '#db/money/payouts/provider.ts';
import { bankPayouts } from '#db/money/payouts/providers/bank/adapter.ts';
import { allPayouts, payoutsOf } from '#db/money/payouts/read.ts';
import { reconcilePayouts } from '#db/money/payouts/reconcile.ts';
import { requestPayout } from '#db/money/payouts/request.ts';
import { Refused } from '#db/platform/errors.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { whyNotPain } from '#db/testing/pain.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '#db/testing/payouts.ts';
import { UserError } from '../user-error.ts';
import { bankPayoutCommands } from './payouts-bank.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-payouts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const now = new Date();

/** Runs `cairn payouts ...`, as `bin/cairn.ts` does. */
async function payouts(...args: string[]): Promise<{ code: number; out: string; errors: string }> {
  vi.stubEnv('DATABASE_URL', `postgres:///${database.name}`);
  vi.stubEnv('PGHOST', database.address);
  vi.stubEnv('PGUSER', 'app');
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
  vi.stubEnv('PAYOUTS', 'bank');
  vi.stubEnv('BANK_DEBTOR_NAME', 'Köhler');
  vi.stubEnv('BANK_DEBTOR_IBAN', 'DE89370400440532013000');
  const out: string[] = [];
  const write = (...given: unknown[]) => void out.push(given.map(String).join(' '));
  const printed = vi.spyOn(console, 'log').mockImplementation(write);
  try {
    const program = new Command();
    bankPayoutCommands(program);
    await program.parseAsync(['payouts', ...args], { from: 'user' });
    return { code: 0, out: out.join('\n'), errors: '' };
  } catch (error) {
    if (!(error instanceof UserError || error instanceof Refused)) throw error;
    return { code: 1, out: out.join('\n'), errors: error.message };
  } finally {
    printed.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** A withdrawal of $10.00, by bank unless another provider is given; $9.60 are sent by bank. */
async function withdraw(provider?: PayoutProvider): Promise<{ id: string; user_id: string }> {
  const actor = build.actorFor(await build.user(database.sql));
  await database.sql`update users set email_verified = true where id = ${actor.user_id}`;
  await earn(database.sql, actor.user_id, 1_000, now);
  const given = {
    type: 'bank',
    method_id: 'iban',
    address: 'NL91ABNA0417164300',
    receiver: 'Ada L.',
  } as const;
  const context = payoutContext(database.sql, provider ?? bankPayouts({}, database.sql));
  const { id } = await requestPayout(context, actor, withdrawal(provider ? {} : given), now);
  return { id, user_id: actor.user_id };
}
const stateOf = async (id: string) =>
  (await database.sql`select state from payouts where id = ${id}`)[0]!.state;
const balanceOf = async (user_id: string) => {
  const [row] = await database.sql<Array<{ minor: number }>>`
    select -sum(amount_minor)::bigint as minor from ledger_entries where account_id = ${`creator:${user_id}`}`;
  return row!.minor;
};

it('takes transfers to the bank in a file, and their outcome into the ledger', {
  timeout: 120_000,
}, async () => {
  const [paid, failed] = [await withdraw(), await withdraw()];
  const out = join(folder, 'payouts.xml');
  // refused before anything is marked as written
  writeFileSync(out, 'mine');
  expect(await payouts('export', '--out', out, '--rate', '0.92')).toMatchObject({ code: 1 });
  expect(readFileSync(out, 'utf8')).toBe('mine');
  expect((await payouts('export', '--out', join(folder, 'none', 'x.xml'), '--rate', '0.92')).code).toBe(1);
  rmSync(out);
  expect((await payouts('export', '--out', out)).errors).toContain('--rate');
  expect(readdirSync(folder)).not.toContain('payouts.xml');

  const exported = await payouts('export', '--out', out, '--rate', '0.92');
  expect(exported).toMatchObject({ code: 0 });
  expect(exported.out).toContain('17.66 EUR');
  const xml = readFileSync(out, 'utf8');
  expect(whyNotPain(xml)).toEqual([]);
  expect(xml).toContain(`<EndToEndId>${paid.id}</EndToEndId>`);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);

  const message = /<MsgId>([\w-]+)</.exec(xml)![1]!;
  const copy = join(folder, 'again.xml');
  expect(await payouts('export', '--again', message, '--out', copy)).toMatchObject({ code: 0 });
  expect(readFileSync(copy, 'utf8')).toBe(xml);
  expect((await payouts('export', '--out', join(folder, 'b.xml'), '--rate', '0.92')).errors).toContain(
    'No bank transfer',
  );

  expect(await stateOf(paid.id)).toBe('in-transit');
  expect(await payouts('confirm', message, '--failed', failed.id)).toMatchObject({ code: 0 });
  expect([await stateOf(paid.id), await stateOf(failed.id)]).toEqual(['success', 'failed']);
  expect([await balanceOf(paid.user_id), await balanceOf(failed.user_id)]).toEqual([0, 1_000]);
  expect((await payouts('confirm', message)).code).toBe(1);

  const today = now.toISOString().slice(0, 10);
  const compared = await payouts('reconcile', '--from', today, '--until', today, '--json');
  expect(compared).toMatchObject({ code: 0 });
  expect(JSON.parse(compared.out).providers).toMatchObject([{ provider: 'bank', ours: 2, agree: 2 }]);
  await database.sql`update bank_payouts set amount_minor = 1 where key = ${paid.id}`;
  const differs = await payouts('reconcile', '--from', today, '--until', today);
  expect(differs).toMatchObject({ code: 1 });
  expect(differs.out).toContain(`${paid.id}`);
  expect((await payouts('reconcile', '--from', 'yesterday')).errors).toContain('not a day');
});

it('gives back once what the bank returns after it was confirmed, and says so', {
  timeout: 120_000,
}, async () => {
  const { sql } = database;
  const [one, other, open, lost] = [await withdraw(), await withdraw(), await withdraw(), await withdraw()];
  const message = async (name: string) => {
    const file = join(folder, name);
    expect(await payouts('export', '--out', file, '--rate', '0.92')).toMatchObject({ code: 0 });
    return /<MsgId>([\w-]+)</.exec(readFileSync(file, 'utf8'))![1]!;
  };
  const back = async (...keys: string[]) => await payouts('return', ...keys, '--reason', ' AC04 ');
  expect((await back(open.id)).errors).toContain('in no file yet');
  const file = await message('returned.xml');
  expect((await back(open.id)).errors).toContain(`payouts confirm ${file}`);
  const waiting = await withdraw();
  expect(await payouts('confirm', file, '--failed', lost.id)).toMatchObject({ code: 0 });

  // refused, and then nothing of the same call is done
  const told = async (user_id: string) =>
    (await sql`select data from events where user_id = ${user_id} and name = 'payout.settled'`).map(
      ({ data }) => (data as { state: string }).state,
    );
  const card = await withdraw(new ScriptedPayouts());
  for (const [key, text] of [
    ['nobody', 'No payout has the id nobody'],
    [card.id, 'no bank transfer'],
    [waiting.id, 'in no file yet'],
    [lost.id, 'never paid'],
  ] as const)
    expect((await back(one.id, key)).errors).toContain(text);
  expect((await payouts('return', one.id, '--reason', ' ')).errors).toContain('why the bank');
  expect([await stateOf(one.id), await balanceOf(one.user_id), await told(one.user_id)]).toEqual([
    ...['success', 0, ['success']],
  ]);

  for (const again of ['now', 'before']) {
    expect((await back(one.id, one.id)).out).toContain(again);
    expect([await stateOf(one.id), await balanceOf(one.user_id)]).toEqual(['failed', 1_000]);
    expect((await told(one.user_id)).toSorted()).toEqual(['failed', 'success']);
  }
  expect(await payoutsOf(sql, one.user_id)).toContainEqual(
    expect.objectContaining({ id: one.id, state: 'failed', failure: 'returned' }),
  );
  expect(await allPayouts(sql, { id: one.id, limit: 1 })).toMatchObject([{ return_reason: 'AC04' }]);
  // the file stays confirmed as it was, and books agree
  expect(await payouts('confirm', file, '--failed', lost.id)).toMatchObject({ code: 0 });
  expect([await stateOf(one.id), await stateOf(other.id)]).toEqual(['failed', 'success']);
  const books = await reconcilePayouts(sql, [bankPayouts({}, sql)], {
    ...{ from: new Date(now.getTime() - 1_000), until: new Date(now.getTime() + 1_000) },
  });
  expect(books.lines.filter(({ key }) => key === one.id)).toEqual([]);
  expect((await reconcileLedger(sql)).filter(({ what }) => what.includes('payout'))).toEqual([]);
});
