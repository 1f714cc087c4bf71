import { expect, test } from 'vitest';
import { messageKeys, messages } from '#content/messages.ts';
import type { LedgerTransaction } from '#db/money/billing/desk/ledger.ts';
import type { OwnKind, PostingKind } from '#db/money/billing/ledger.ts';
import { incomeSources } from '#db/money/billing/revenue/rules.ts';
import { accountName, grown, serviceName, transactionSentence } from './ledger-texts.ts';

const english = messages('en-US');
const bare = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
const about: LedgerTransaction['about'] = {
  ...{ user_id: 'User0001', username: 'willow', product: 'server', server: 'Amber Fort', ram_mb: 4096 },
  ...{ term: 'monthly', source: 'ads', day: '2026-11-01', service: 'test', is_back: false },
};
const entries = [
  { account: 'processor:test', currency: 'USD', amount_minor: 1800, username: null },
  { account: 'customer:User0001', currency: 'USD', amount_minor: -1800, username: 'willow' },
];
const said = (kind: PostingKind | OwnKind, more: Partial<LedgerTransaction['about']> = {}) =>
  bare(transactionSentence(english, { kind, about: { ...about, ...more }, entries }));
/** Every kind of transaction: a new one does not compile without its place here. */
const kinds = Object.keys({
  ...{ invoice: 1, payment: 1, void: 1, refund: 1, dispute: 1, dispute_won: 1, fee: 1, earning: 1 },
  ...{ division: 1, release: 1, remainder: 1, payout: 1 },
} satisfies Record<PostingKind | OwnKind, 1>) as Array<PostingKind | OwnKind>;

test('transactions say who paid how much for what', () => {
  expect(said('payment')).toBe('willow paid $18.00 for Amber Fort');
  expect(said('payment', { product: 'plus' })).toBe('willow paid $18.00 for Plus');
  expect(said('invoice', { server: null, username: null })).toBe(
    '[deleted account] was billed $18.00 for a 4 GB server',
  );
  expect(said('release')).toBe('willow received $18.00 earned in November 2026');
  expect(said('payout', { service: 'paypal' })).toBe('willow withdrew $18.00 via PayPal');
  expect(said('payout', { is_back: true })).toContain('returned to the balance of willow');
});

test.each(kinds)('a transaction of the kind %s has a sentence', (kind) => {
  expect(messageKeys).toContain(`ledger.kind_${kind}`);
  for (const is_back of [false, true]) expect(said(kind, { is_back })).not.toMatch(/[{}_]|\w:\w|ledger\./);
});

test('every account of the ledger has a name', () => {
  const accounts = [
    ...['customer:User0001', 'creator:User0001', 'customer', 'creator', 'processor:test', 'fees:stripe'],
    ...['income:servers', 'income:plus', 'undivided:creators', 'platform:revenue', 'platform:ad_fees'],
    ...['platform:payout_fees', 'remainder:creators', 'pending:2026-11-01', 'payout:bank'],
    ...incomeSources.map((source) => `source:${source}`),
  ];
  for (const account of accounts) {
    const name = bare(accountName(english, account, account.includes('User') ? 'willow' : null));
    expect(name, account).not.toMatch(/[{}_:]|Another account|whose account is gone|User0001/);
  }
  expect(bare(accountName(english, 'pending:2026-11-01', null))).toContain('November 2026');
  expect(accountName(english, 'turned:out', null)).toBe('Another account');
  expect(serviceName(english.t, 'never_heard_of')).toBe('another service');
});

test('what was sold grows, and what is owed shrinks when it is paid', () => {
  expect(grown('income:servers', -6000)).toBe(6000);
  expect(grown('customer:User0001', -1800)).toBe(-1800);
  expect(grown('processor:test', 1800)).toBe(1800);
  expect(Object.is(grown('income:plus', 0), 0)).toBe(true);
});
