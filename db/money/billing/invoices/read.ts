import { type Actor, isAdmin } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { InvoiceContent, InvoiceYear } from './rules.ts';

/** An invoice or a credit note, for a list. */
export interface InvoiceLine {
  id: string;
  kind: 'invoice' | 'credit_note';
  charge_id: string;
  number: string;
}

/** An invoice with all that it says. */
export interface Invoice extends InvoiceLine {
  amount_minor: number;
  currency: string;
  content: InvoiceContent;
  issued: string;
}

/** The invoices and credit notes of some charges, oldest first; for callers who may see these. */
export const invoicesOf = (db: Db, charge_ids: readonly string[]): Promise<InvoiceLine[]> => db<
  InvoiceLine[]
>`
  select id, kind, charge_id, content->>'number' as number from invoices
  where charge_id = any(${charge_ids as string[]}) order by issued, number limit 1000`;

/** An invoice for whoever paid and administrators; null for others and unknown ones. */
export async function invoiceFor(db: Db, actor: Actor, id: string): Promise<Invoice | null> {
  const [row] = await db<Array<Invoice & { user_id: string }>>`
    select i.id, i.kind, i.charge_id, i.content->>'number' as number, i.amount_minor, i.currency, i.content, i.issued,
      c.user_id
    from invoices i join charges c on c.id = i.charge_id where i.id = ${id}`;
  if (!row || (row.user_id !== actor.user_id && !isAdmin(actor))) return null;
  const { user_id: _, ...invoice } = row;
  return invoice;
}

/** The years of which a user has invoices, the newest first. */
export const invoiceYearsOf = (db: Db, user_id: string): Promise<InvoiceYear[]> => db<InvoiceYear[]>`
  select extract(year from i.issued at time zone 'UTC')::int as year, count(*)::int as count
  from invoices i join charges c on c.id = i.charge_id where c.user_id = ${user_id}
  group by 1 order by 1 desc limit 100`;

/** Invoices that are read at once. */
const batch = 100;

/** At most `limit` invoices and credit notes of a user of one year (UTC) after the first `skipped`, oldest first, read in batches. */
export async function* invoicesOfYear(
  db: Db,
  user_id: string,
  year: number,
  { skipped, limit }: { skipped: number; limit: number },
): AsyncGenerator<Invoice> {
  for (let at = 0; at < limit; at += batch) {
    const some = await db<Invoice[]>`
      select i.id, i.kind, i.charge_id, i.content->>'number' as number, i.amount_minor, i.currency, i.content, i.issued
      from invoices i join charges c on c.id = i.charge_id
      where c.user_id = ${user_id} and extract(year from i.issued at time zone 'UTC') = ${year}
      order by i.issued, i.id limit ${Math.min(batch, limit - at)} offset ${skipped + at}`;
    yield* some;
    if (some.length < batch) return;
  }
}
