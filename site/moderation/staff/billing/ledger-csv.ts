import type { Messages } from '#content/messages.ts';
import type { LedgerTransaction } from '#db/money/billing/desk/ledger.ts';
import { isCurrency } from '#db/money/billing/rules.ts';
import { csvOf } from '../../../discovery/analytics/table-files.ts';
import { minorText } from '../../../hosting/checkout/price.ts';
import { accountName, transactionSentence } from './ledger-texts.ts';

const columns = [
  ...(['time', 'transaction', 'what', 'account', 'account_name', 'currency'] as const),
  ...(['debit', 'credit', 'person', 'charge'] as const),
];

/** The first line of the ledger as CSV. */
export const ledgerHead = ({ t }: Messages): string =>
  csvOf([columns.map((column) => t(`ledger.csv_${column}`))]);

/** Transactions as CSV for bookkeeping: a line for each entry, with the codes and ids of the ledger too. */
export const ledgerLines = (messages: Messages, found: readonly LedgerTransaction[]): string =>
  csvOf(found.flatMap((one) => rowsOf(messages, one)));

function rowsOf(messages: Messages, one: LedgerTransaction): string[][] {
  const { id, charge_id, about, created, entries } = one;
  const what = bare(transactionSentence(messages, one));
  const time = new Date(created).toISOString();
  return entries.map(({ account, currency, amount_minor, username }) => {
    const size = Math.abs(amount_minor);
    const amount = isCurrency(currency) ? minorText(size, currency) : String(size);
    const sides = amount_minor > 0 ? [amount, ''] : ['', amount];
    const name = bare(accountName(messages, account, username));
    return [time, id, what, account, name, currency, ...sides, about.username ?? '', charge_id ?? ''];
  });
}

/** Without the marks that isolate names: programs of tables show them as signs. */
const bare = (text: string): string => text.replace(/[\u2066-\u2069]/g, '');
