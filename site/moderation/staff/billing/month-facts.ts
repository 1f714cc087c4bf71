import type { Messages } from '#content/messages.ts';
import type { LedgerLine } from '#db/money/billing/desk/report.ts';
import { ledgerAmount } from '../../../hosting/checkout/price.ts';
import { accountName, grown } from './ledger-texts.ts';

/** What of a report is told first: what was sold, what came in, what it cost, what was paid out. */
const told = /^(?:income|source|fees|payout):/;

/** Figures of one month from its report: an account each, with an amount for every currency; `before` is the month before. */
export function monthFacts(
  messages: Messages,
  lines: readonly LedgerLine[],
  before: readonly LedgerLine[] = [],
): Array<{ name: string; value: string; hint?: string }> {
  const accounts = new Set(
    [...lines, ...before].map(({ account }) => account).filter((one) => told.test(one)),
  );
  return [...accounts].toSorted().map((account) => {
    const past = amountsOf(messages, before, account);
    return {
      name: accountName(messages, account, null),
      value: amountsOf(messages, lines, account) || ledgerAmount(messages, 0, 'USD'),
      ...(past && { hint: messages.t('staff.last_month', { amount: past }) }),
    };
  });
}

const amountsOf = (messages: Messages, lines: readonly LedgerLine[], account: string): string =>
  lines
    .filter((line) => line.account === account)
    .map(({ debit, credit, currency }) => ledgerAmount(messages, grown(account, debit - credit), currency))
    .join(' · ');
