import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { newId } from '../../../platform/id.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Settings } from '../../../platform/runtime/env.ts';
import type { Payments } from '../payments.ts';
import { whyNotManageBilling } from '../refunds/rules.ts';
import { addressLines, billingAddressOf } from './billing-address.ts';
import { type InvoiceContent, invoiceNumber, rateOf, taxIn } from './rules.ts';

/** The settings that invoices are made of. */
export type InvoiceSettings = Pick<
  Settings,
  | 'INVOICE_NAME'
  | 'INVOICE_ADDRESS'
  | 'INVOICE_TAX_ID'
  | 'INVOICE_TAX_NAME'
  | 'INVOICE_TAX_PERCENT'
  | 'INVOICE_PREFIX'
  | 'OPERATOR_NAME'
  | 'SITE_HOST'
>;

interface Sold {
  user_id: string;
  username: string;
  processor: string;
  amount_minor: number;
  currency: string;
  /** Null for Plus. */
  ram_mb: number | null;
  term: string;
  name: string | null;
  period_start: string;
  period_end: string;
}

/**
 * Issues the invoice of a charge that was paid, once, with the operator's data of now. Its number is the next of its series,
 * one for each processor; it is taken in the caller's transaction, so that none is left out.
 */
export async function issueInvoice(
  tx: Db,
  settings: InvoiceSettings,
  payments: Pick<Payments, 'test'>,
  charge_id: string,
  now: Date,
): Promise<void> {
  const [sold] = await tx<Sold[]>`
    select c.user_id, p.username, c.processor, c.amount_minor, c.currency, c.ram_mb, c.term,
      coalesce(s.name, o.name) as name, c.period_start, c.period_end
    from charges c join users p on p.id = c.user_id join subscriptions u on u.id = c.subscription_id
      left join orders o on o.id = u.order_id left join servers s on s.id = u.server_id
    where c.id = ${charge_id} and not exists (
      select 1 from invoices i where i.charge_id = c.id and i.kind = 'invoice')`;
  if (!sold) return;
  const { processor, amount_minor, currency, term, name, period_start, period_end } = sold;
  const rate = rateOf(settings.INVOICE_TAX_PERCENT ?? '0');
  const billing = await billingAddressOf(tx, sold.user_id);
  const number = await nextNumber(tx, processor);
  const content: InvoiceContent = {
    number: invoiceNumber(settings.INVOICE_PREFIX, number, payments.test),
    operator: {
      name: settings.INVOICE_NAME ?? settings.OPERATOR_NAME ?? settings.SITE_HOST,
      address: linesOf(settings.INVOICE_ADDRESS),
      tax_id: settings.INVOICE_TAX_ID ?? null,
    },
    tax: rate === 0 ? null : { name: settings.INVOICE_TAX_NAME, rate, tax_minor: taxIn(amount_minor, rate) },
    buyer: {
      ...{ id: sold.user_id, name: sold.username },
      ...(billing && { billing: { ...billing, address: addressLines(billing.address) } }),
    },
    item: {
      product: sold.ram_mb === null ? 'Plus' : `${sold.ram_mb / 1024} GB`,
      name,
      term,
      period_start,
      period_end,
    },
    corrects: null,
    test: payments.test,
  };
  const common = {
    id: newId(),
    series: processor,
    number,
    kind: 'invoice',
    charge_id,
    amount_minor,
    currency,
  };
  await tx`insert into invoices ${tx({ ...common, content: tx.json(content as never), issued: now })}`;
}

/**
 * Issues the credit note of what was given back of a charge, with the data of its invoice; nothing for a charge from before
 * there were invoices. The taxes of all credit notes of a charge add up to that of its invoice.
 */
export async function creditNote(
  tx: Db,
  { charge_id, refund_id, amount_minor }: { charge_id: string; refund_id: string; amount_minor: number },
  now: Date,
): Promise<void> {
  const [invoice] = await tx<
    Array<{ series: string; currency: string; content: InvoiceContent; given: number }>
  >`
    select i.series, i.currency, i.content, (
      select coalesce(sum(n.amount_minor), 0)::bigint from invoices n
      where n.charge_id = i.charge_id and n.kind = 'credit_note') as given
    from invoices i where i.charge_id = ${charge_id} and i.kind = 'invoice'`;
  if (!invoice) return;
  const { series, currency, content, given } = invoice;
  const number = await nextNumber(tx, series);
  const { tax } = content;
  const prefix = content.number.replace(/^TEST-/, '').replace(/(?<!\d)\d+$/, '');
  const note: InvoiceContent = {
    ...content,
    number: invoiceNumber(prefix, number, content.test),
    tax: tax && { ...tax, tax_minor: taxIn(given + amount_minor, tax.rate) - taxIn(given, tax.rate) },
    corrects: content.number,
  };
  const common = {
    id: newId(),
    series,
    number,
    kind: 'credit_note',
    charge_id,
    refund_id,
    amount_minor,
    currency,
  };
  await tx`insert into invoices ${tx({ ...common, content: tx.json(note as never), issued: now })}`;
}

/** The invoice of a payment from before there were invoices. Refuses `admins_only`, `charge_not_found`, `refund_unpaid`. */
export async function issueInvoiceByStaff(
  tx: Db,
  actor: Actor,
  settings: InvoiceSettings,
  payments: Pick<Payments, 'test'>,
  charge_id: string,
  now: Date,
): Promise<void> {
  assertAllowed(whyNotManageBilling(actor));
  const [charge] = await tx<
    Array<{ state: string }>
  >`select state from charges where id = ${charge_id} for update`;
  if (!charge) throw new Refused('charge_not_found');
  if (charge.state !== 'succeeded') throw new Refused('refund_unpaid');
  await issueInvoice(tx, settings, payments, charge_id, now);
}

/** The credit note of a payment that came too late and was given back whole; its refund has the id of the charge. */
export async function creditWhole(tx: Db, charge_id: string, now: Date): Promise<void> {
  const [charge] = await tx<
    [{ amount_minor: number }]
  >`select amount_minor from charges where id = ${charge_id}`;
  await creditNote(tx, { charge_id, refund_id: charge_id, ...charge }, now);
}

/** The row stays locked until the commit: whoever comes next waits, and a rollback gives the number back. */
async function nextNumber(tx: Db, series: string): Promise<number> {
  const [row] = await tx<[{ last: number }]>`
    insert into invoice_counters (series, last) values (${series}, 1)
    on conflict (series) do update set last = invoice_counters.last + 1 returning last`;
  return row.last;
}

const linesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .slice(0, 8);
