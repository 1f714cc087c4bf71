import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { incomeForm } from '../../moderation/staff/payouts/payout-forms.server.ts';
import { withdrawForm } from '../../money/payouts/payout-forms.server.ts';
import { errorsOfShape } from '../../platform/forms/form-definition.ts';

const { t } = messages('en-US');
const op_id = '5f0c2b6e-7c0e-4a5e-9a39-3a2f5b1f6f10';
const bank = { op_id, country: 'DE', type: 'bank', method_id: 'bank' };

test.each([
  { form: incomeForm, rest: { source: 'ads', impressions: '0' }, lacks: ['day', 'amount', 'reference'] },
  {
    form: withdrawForm,
    rest: bank,
    lacks: ['amount', 'address', 'receiver', 'agree_fee', 'agree_transfer', 'agree_terms'],
  },
])('$form.action flags every field that lacks at once', ({ form, rest, lacks }) => {
  for (const blank of ['', ' ']) {
    const given = { ...rest, ...Object.fromEntries(lacks.map((name) => [name, blank])) };
    const said = errorsOfShape(form, form.shape.safeParse(given).error!, t);
    expect(said.map(({ field }) => field)).toEqual(lacks);
  }
});
