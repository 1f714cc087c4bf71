import type { Messages } from '#content/messages.ts';
import type { LedgerLine } from '#db/billing/desk/report.ts';
import { ledgerAmount } from '../../servers/checkout/price.ts';
import { accountName, grown } from './ledger-texts.ts';

/** What of a report is told first: what was sold, what came in, what it cost, what was paid out. */
const told = /^(?:income|source|fees|payout):/;

/** Figures of one month from its report: an account each, with an amount for every currency. */
export function monthFacts(
  messages: Messages,
  lines: readonly LedgerLine[],
): Array<{ name: string; value: string }> {
  const accounts = Map.groupBy(
    lines.filter(({ account }) => told.test(account)),
    ({ account }) => account,
  );
  return [...accounts].map(([account, of]) => ({
    name: accountName(messages, account, null),
    value: of
      .map(({ debit, credit, currency }) => ledgerAmount(messages, grown(account, debit - credit), currency))
      .join(' · '),
  }));
}
