/** What invoices say, and what the tax in an amount is. */

/** An invoice or a credit note as it was issued; amounts are in minor units. */
export interface InvoiceContent {
  /** As it is written, such as `INV-000012`. */
  number: string;
  operator: { name: string; address: string[]; tax_id: string | null };
  /** The tax that the amount contains: its rate in thousandths of a percent. */
  tax: { name: string; rate: number; tax_minor: number } | null;
  /** The account; `billing` is what its owner wanted on their invoices then. */
  buyer: { id: string; name: string; billing?: { name: string; address: string[]; tax_id: string } };
  item: {
    /** What was sold: a server, or the name of a product. */
    product: string;
    /** The name that its owner gave it; null for what has none. */
    name: string | null;
    term: string;
    period_start: string;
    period_end: string;
  };
  /** Of the invoice that a credit note corrects. */
  corrects: string | null;
  /** Whether no money moved. */
  test: boolean;
}

/** The tax that an amount with it contains, in minor units, halves rounded up. `rate` is in thousandths of a percent. */
export const taxIn = (amount_minor: number, rate: number): number => {
  const base = BigInt(100_000 + rate);
  return Number((BigInt(amount_minor) * BigInt(rate) * 2n + base) / (base * 2n));
};

/** A rate in percent such as `8.1` in thousandths of a percent. */
export const rateOf = (percent: string): number => {
  const [whole = '0', part = ''] = percent.split('.');
  return Number(whole) * 1_000 + Number(part.padEnd(3, '0'));
};

/** How a number is written: consecutive, and never mistaken for one of real money. */
export const invoiceNumber = (prefix: string, number: number, test: boolean): string =>
  `${test ? 'TEST-' : ''}${prefix}${String(number).padStart(6, '0')}`;

/** How many invoices and credit notes a user has of a year (UTC). */
export interface InvoiceYear {
  year: number;
  count: number;
}
/** Most invoices of one file that has all of a year; more are in further parts. */
export const invoicesPerFile = 1_000;
