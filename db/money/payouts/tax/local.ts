import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { type Actor, accountOf, whyNotProved } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Sealer } from '../../../platform/secrets/seal.ts';
import { whyNotManageBilling } from '../../billing/refunds/rules.ts';
import { isTaxFormValid, type TaxFormType, type TaxStatement, whyNotStatement } from './rules.ts';
import type { TaxForms, TaxStatus } from './tax-forms.ts';

/** The longest text of a field. */
const max_length = 200;

const purposeOf = (user_id: string): string => `tax:${user_id}`;

/** Collects forms on a page of this site, at `site_url`; what is stated is encrypted. */
export const localTaxForms = (site_url: string): TaxForms => ({
  async request(tx, user_id, form_type, now) {
    await tx`
      insert into tax_forms ${tx({ user_id, form_type, requested: now })}
      on conflict (user_id) do update set form_type = excluded.form_type, requested = excluded.requested
      where tax_forms.signed is null`;
    return { link: `${site_url}/dashboard/revenue/tax?form=${form_type}` };
  },
  status: statusOf,
});

async function statusOf(db: Db, user_id: string, now: Date): Promise<TaxStatus> {
  const [row] = await db<Array<{ form_type: TaxFormType; signed: string | null }>>`
    select form_type, signed from tax_forms where user_id = ${user_id}`;
  if (!row) return { form_type: null, status: 'unrequested', signed: null };
  const is_valid = isTaxFormValid(row.form_type, row.signed === null ? null : new Date(row.signed), now);
  return { ...row, status: is_valid ? 'complete' : 'unsigned' };
}

/**
 * Keeps what somebody states and signs, encrypted; it replaces what was there. Refuses, naming the field, `tax_field_missing`,
 * `tax_field_long`, `country_unknown`, `tax_country`, `tax_number_malformed`, `tax_signature`, `tax_uncertified`.
 */
export async function signTaxForm(
  tx: Db,
  sealer: Sealer,
  { user_id }: Actor,
  form_type: TaxFormType,
  stated: TaxStatement,
  now: Date,
): Promise<void> {
  for (const [field, value] of Object.entries(stated))
    if (String(value).length > max_length) throw new Refused('tax_field_long', { field, most: max_length });
  const wrong = whyNotStatement(form_type, stated);
  if (wrong) throw new Refused(wrong.code, { field: wrong.field });
  const text = JSON.stringify({ form_type, ...stated, signed: now.toISOString() });
  const row = { form_type, sealed: sealer.seal(text, purposeOf(user_id)), requested: now, signed: now };
  await tx`insert into tax_forms ${tx({ user_id, ...row })} on conflict (user_id) do update set ${tx(row)}`;
  await recordEvent(tx, { name: 'taxform.signed', actor_id: user_id, user_id, data: { form_type } });
}

/**
 * What a person stated, for administrators; the event says that it was shown, and to whom. Refuses `admins_only`,
 * `proof_required`, and `tax_form_not_found`, also for one that was encrypted with another key.
 */
export async function showTaxForm(
  tx: Db,
  sealer: Sealer,
  actor: Actor,
  user_id: string,
  now: Date,
): Promise<TaxStatement & { form_type: TaxFormType; signed: string }> {
  assertAllowed(whyNotManageBilling(actor) ?? whyNotProved(actor, now));
  const [row] = await tx<Array<{ form_type: TaxFormType; sealed: string | null }>>`
    select form_type, sealed from tax_forms where user_id = ${user_id}`;
  const text = row?.sealed ? sealer.open(row.sealed, purposeOf(user_id)) : null;
  if (!row || text === null) throw new Refused('tax_form_not_found');
  const about = { actor_id: accountOf(actor), user_id };
  await recordEvent(tx, { name: 'taxform.shown', ...about, data: { form_type: row.form_type } });
  return JSON.parse(text);
}
