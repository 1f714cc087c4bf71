import { describe, expect, it } from 'vitest';
import { actorFor, user } from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '../../../testing/payouts.ts';
import { withdrawalFactsOf } from '../read.ts';
import { requestPayout } from '../request.ts';
import { type TaxFormStatus, taxFormStatuses } from './rules.ts';
import type { TaxForms } from './tax-forms.ts';

/** Withdrawals ask whoever collects tax forms, and nobody else. */

const database = testDatabase();
const now = new Date('2026-11-27T08:00:00Z');

/** A provider of tax forms elsewhere, of whose people all stand so. */
const elsewhere = (status: TaxFormStatus): TaxForms => ({
  request: async (_tx, user_id) => ({ link: `https://tax.example/${user_id}` }),
  status: async () => ({ form_type: 'W-9', status, signed: null }),
});

async function withdrawAbove(taxForms: TaxForms) {
  const { sql } = database;
  const person = await user(sql);
  await earn(sql, person.id, 100_000, now);
  const context = { ...payoutContext(sql, new ScriptedPayouts()), taxForms };
  const take = async (amount_minor: number) =>
    await requestPayout(context, actorFor(person), withdrawal({ amount_minor }), now);
  // up to the threshold nobody needs a form
  expect((await take(60_000)).state).toBe('success');
  return await take(100);
}

describe('another provider of tax forms', () => {
  it('lets somebody withdraw above the threshold whose form is complete there', async () => {
    expect(await withdrawAbove(elsewhere('complete'))).toMatchObject({ state: 'success' });
  });

  it.each([
    ['unknown', 'tax_form_unknown'],
    ['unrequested', 'tax_form_required'],
    ['unsigned', 'tax_form_required'],
    ['tin-mismatch', 'tax_number_mismatch'],
  ] as const)('keeps somebody from it who is %s: %s', async (status, code) => {
    await expect(withdrawAbove(elsewhere(status))).rejects.toMatchObject({
      ...{ code, data: { reasons: [code] } },
    });
  });

  it('says what state the form is in', async () => {
    const { id } = await user(database.sql);
    for (const status of taxFormStatuses)
      expect(await withdrawalFactsOf(database.sql, elsewhere(status), id, now)).toMatchObject({
        tax_status: status,
      });
  });
});
