import type { MessageKey } from '#content/keys.ts';
import { type Messages, messageKeys, type Translate } from '#content/messages.ts';
import type { LedgerTransaction } from '#db/money/billing/desk/ledger.ts';
import { brandOf } from '#db/money/billing/processors/known.ts';
import { ledgerAmount } from '../../../hosting/checkout/price.ts';
import { bidiIsolated } from '../../../platform/text/bidi.ts';
import { day, month } from '../../../platform/text/dates.ts';

/** The ledger in words: what a transaction says, how an account is called, and which way its amounts count. */

const known: ReadonlySet<string> = new Set(messageKeys);

/** Services that pay out by their own names; those of ours have a text. */
const payoutBrands: Readonly<Record<string, string>> = {
  paypal: 'PayPal',
  paypal_test: 'PayPal',
  tremendous: 'Tremendous',
  tremendous_test: 'Tremendous',
};

/** How a service that takes payments or pays out is called. */
export function serviceName(t: Translate, service: string | null): string {
  if (service !== null && Object.hasOwn(payoutBrands, service)) return payoutBrands[service]!;
  const brand = service === null ? null : brandOf(service);
  if (brand !== null) return brand;
  if (service === 'test') return t('ledger.service_test');
  return t(service === 'bank' ? 'ledger.service_bank' : 'ledger.service_other');
}

/** How an account is called; `username` is that of the person whose account it is. */
export function accountName(messages: Messages, account: string, username: string | null): string {
  const { t } = messages;
  const [kind = '', of] = account.split(':');
  if (of === undefined)
    return t(kind === 'customer' ? 'ledger.account_customers' : 'ledger.account_creators');
  const name = username === null ? t('ledger.gone') : bidiIsolated(username);
  switch (kind) {
    case 'customer':
      return t('ledger.account_customer', { name });
    case 'creator':
      return t('ledger.account_creator', { name });
    case 'processor':
      return t('ledger.account_processor', { name: serviceName(t, of) });
    case 'fees':
      return t('ledger.account_fees', { name: serviceName(t, of) });
    case 'payout':
      return t('ledger.account_payout', { name: serviceName(t, of) });
    case 'pending':
      return t('ledger.account_pending', { month: bidiIsolated(month(messages, of)) });
    default: {
      const key = `ledger.account_${kind}_${of}`;
      return t((known.has(key) ? key : 'ledger.account_other') as MessageKey);
    }
  }
}

/** Accounts that grow by a debit; all others grow by a credit, and their amounts are shown with the other sign. */
const debits: ReadonlySet<string> = new Set(['customer', 'processor', 'fees', 'source']);

/** What an account has more of, from an amount of the ledger: what was sold is no negative number. */
export const grown = (account: string, minor: number): number =>
  minor === 0 || debits.has(account.split(':', 1)[0]!) ? minor : -minor;

/** What happened, as a sentence. */
export function transactionSentence(
  messages: Messages,
  { kind, about, entries }: Pick<LedgerTransaction, 'kind' | 'about' | 'entries'>,
): string {
  const { t } = messages;
  const [first] = entries;
  const moved = entries.reduce((sum, { amount_minor }) => sum + Math.max(amount_minor, 0), 0);
  const key = `ledger.kind_${kind}${about.is_back ? '_back' : ''}`;
  return t((known.has(key) ? key : `ledger.kind_${kind}`) as MessageKey, {
    person: about.username === null ? t('ledger.gone') : bidiIsolated(about.username),
    amount: ledgerAmount(messages, moved, first?.currency ?? 'USD'),
    bought: boughtText(t, about),
    source: t(about.source === 'plus' ? 'ledger.account_source_plus' : 'ledger.account_source_ads'),
    service: serviceName(t, about.service),
    day: dayText(messages, kind, about.day),
  });
}

function boughtText(t: Translate, { product, server, ram_mb }: LedgerTransaction['about']): string {
  if (product === 'plus') return 'Plus';
  if (server !== null) return bidiIsolated(server);
  return ram_mb === null ? t('ledger.server') : t('ledger.server_of', { gb: ram_mb / 1024 });
}

function dayText(messages: Messages, kind: LedgerTransaction['kind'], moment: string | null): string {
  if (moment === null) return '…';
  const isMonth = kind === 'release' || kind === 'remainder';
  return bidiIsolated(isMonth ? month(messages, moment) : day(messages, moment));
}
