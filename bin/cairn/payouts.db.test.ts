import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, it, vi } from 'vitest';
import { testPayouts } from '#db/money/payouts/providers/test.ts';
import { requestPayout } from '#db/money/payouts/request.ts';
import { Refused } from '#db/platform/errors.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { earn, payoutContext, withdrawal } from '#db/testing/payouts.ts';
import { UserError } from '../user-error.ts';
import { payoutCommands } from './payouts.ts';

const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-payouts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `cairn payouts ...`, as `bin/cairn.ts` does: gives what it prints, or its error. */
async function payouts(...args: string[]): Promise<string> {
  vi.stubEnv('DATABASE_URL', `postgres:///${database.name}`);
  vi.stubEnv('PGHOST', database.address);
  vi.stubEnv('PGUSER', 'app');
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
  vi.stubEnv('PAYOUTS', 'test');
  const out: string[] = [];
  const printed = vi.spyOn(console, 'log').mockImplementation((...given) => void out.push(given.join(' ')));
  try {
    const program = new Command();
    payoutCommands(program);
    await program.parseAsync(['payouts', ...args], { from: 'user' });
    return out.join('\n');
  } catch (error) {
    if (!(error instanceof UserError || error instanceof Refused)) throw error;
    return error.message;
  } finally {
    printed.mockRestore();
    vi.unstubAllEnvs();
  }
}

it('settles a payout that hangs, when its provider says nothing else', { timeout: 60_000 }, async () => {
  const { sql } = database;
  const now = new Date();
  const actor = build.actorFor(await build.user(sql));
  await earn(sql, actor.user_id, 1_000, now);
  const context = payoutContext(sql, testPayouts(sql));
  const { id } = await requestPayout(context, actor, withdrawal({ address: 'wait@example.org' }), now);
  const settle = async (...args: string[]) => await payouts('settle', id, '--reason', 'It hangs.', ...args);
  expect(await settle()).toContain('--failed or --paid');
  expect(await settle('--failed', '--paid')).toContain('--failed or --paid');
  expect(await settle('--failed')).toContain('in transit');
  await sql`delete from test_payouts`;
  expect(await payouts('retry', id)).toBe('in-transit');
  expect(await payouts('show', id)).toMatch(/"gone_since": "20/);
  expect(await settle('--failed')).toBe('failed');
  expect(await settle('--failed')).toContain('already settled');
});
