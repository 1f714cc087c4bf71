import type { Mailing } from '../../../messages/mail/queue.ts';
import type { PaidCard } from '../../../messages/mail/rules.ts';
import { billingBody, invoicePath, subscriptionPath, tellPayer } from '../../../messages/mail/tell-payer.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { cardOf, serviceName } from '../paid-with.ts';

interface Paid {
  user_id: string;
  username: string;
  amount: number;
  currency: string;
  server_id: string | null;
  service: string | null;
  period_end: string;
  card: PaidCard | null;
  /** The invoice, or the credit note of the refund that is asked for. */
  document: { id: string; number: string } | null;
}

/** A charge with who paid and what for, and its invoice or the credit note of one of its refunds. */
async function paidCharge(db: Db, charge_id: string, refund_id: string | null): Promise<Paid | null> {
  const [row] = await db<Paid[]>`
    select c.user_id, p.username, c.amount_minor as amount, c.currency, u.server_id, c.period_end,
      ${serviceName(db)} as service,
      ${cardOf(db)} as card,
      (select jsonb_build_object('id', i.id, 'number', i.content->>'number') from invoices i
        where i.charge_id = c.id and case when ${refund_id}::text is null then i.kind = 'invoice'
          else i.refund_id = ${refund_id} end
        order by i.issued, i.id limit 1) as document
    from charges c join users p on p.id = c.user_id join subscriptions u on u.id = c.subscription_id
      left join orders o on o.id = u.order_id left join servers s on s.id = u.server_id
      left join payment_methods m on m.id = c.method_id
    where c.id = ${charge_id}`;
  return row ?? null;
}

const link_of_payments = '/settings/billing/charges';
const linked = (document: Paid['document']) =>
  document && { number: document.number, link: invoicePath(document.id) };

/** The receipt of a payment, with its invoice. */
export async function tellOfPayment(
  tx: Db,
  mailing: Mailing,
  { charge_id }: { charge_id: string },
  now: Date,
): Promise<void> {
  const paid = await paidCharge(tx, charge_id, null);
  if (!paid) return;
  const { user_id, username, amount, currency, service, server_id, period_end, card } = paid;
  const said = { username, amount, currency, service, card, paid_until: period_end };
  await tellPayer(tx, mailing, {
    ...{ user_id, now },
    body: billingBody('receipt', paid, { amount_minor: amount, currency, at: period_end }),
    mail: {
      template: 'receipt',
      data: { ...said, invoice: linked(paid.document), link: subscriptionPath(server_id) },
    },
  });
}

/** What of a payment was given back, with its credit note. */
export async function tellOfRefund(
  tx: Db,
  mailing: Mailing,
  {
    charge_id,
    refund_id,
    amount_minor,
  }: { charge_id: string; refund_id?: string | undefined; amount_minor: number },
  now: Date,
): Promise<void> {
  const paid = await paidCharge(tx, charge_id, refund_id ?? charge_id);
  if (!paid) return;
  const { user_id, username, currency, service } = paid;
  await tellPayer(tx, mailing, {
    ...{ user_id, now },
    body: billingBody('refund', paid, { amount_minor, currency }),
    mail: {
      template: 'refund_made',
      data: {
        ...{ username, amount: amount_minor, currency, service },
        ...{ credit_note: linked(paid.document), link: link_of_payments },
      },
    },
  });
}
