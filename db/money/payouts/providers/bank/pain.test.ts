import { expect, it } from 'vitest';
import { whyNotPain } from '../../../../testing/pain.ts';
import { isIban } from '../../addresses.ts';
import { converted, isBic, isPayable, isRate } from './accounts.ts';
import { type BankFile, bankText, painOf } from './pain.ts';

const file: BankFile = {
  ...{ id: 'CAIRN-20261127-aaaaaaaa', currency: 'EUR', debtor_name: 'Köhler & Söhne <GmbH>' },
  ...{ debtor_iban: 'DE89370400440532013000', debtor_bic: 'COBADEFFXXX' },
  ...{ execution_day: '2026-11-30', created: '2026-11-27T12:00:00.123Z' },
};
const transfer = { key: 'AbCd1234', receiver: 'Ada', iban: 'NL91ABNA0417164300', file_amount_minor: 1234 };

it('is a message as the schema of pain.001.001.09 wants it, in euros and dollars, with and without a BIC', () => {
  const transfers = [transfer, { ...transfer, key: 'B', file_amount_minor: 5 }];
  for (const currency of ['EUR', 'USD'] as const)
    for (const debtor_bic of [file.debtor_bic, null])
      expect(whyNotPain(painOf({ ...file, currency, debtor_bic }, transfers))).toEqual([]);
});

it('has sums that are exact, and takes no signs that end an element', () => {
  const many = Array.from({ length: 300 }, (_, n) => ({
    ...transfer,
    key: `K${n}`,
    file_amount_minor: 10 + n,
  }));
  const xml = painOf(file, [...many, { ...transfer, receiver: '</Nm><Nm>& "x"' }]);
  expect(whyNotPain(xml)).toEqual([]);
  expect(xml).toContain('<CtrlSum>490.84</CtrlSum>');
  expect(xml).toContain('<Nm>Kohler Sohne GmbH</Nm>');
});

it('is refused by the check when something is amiss', () => {
  const good = painOf(file, [transfer]);
  const broken: Array<[string, string]> = [
    ['<PmtMtd>TRF</PmtMtd>', ''],
    ['<PmtMtd>TRF</PmtMtd>', '<PmtMtd>XXX</PmtMtd>'],
    ['<CtrlSum>12.34</CtrlSum>', '<CtrlSum>12.35</CtrlSum>'],
    ['<NbOfTxs>1</NbOfTxs>', '<NbOfTxs>2</NbOfTxs>'],
    ['NL91ABNA0417164300', 'NL92ABNA0417164300'],
    ['<ChrgBr>SLEV</ChrgBr>', '<ChrgBr>SLEV</ChrgBr><ChrgBr>SLEV</ChrgBr>'],
    ['<EndToEndId>AbCd1234</EndToEndId>', `<EndToEndId>${'x'.repeat(36)}</EndToEndId>`],
    ['<Nm>Ada</Nm>', '<Nm>Ädä</Nm>'],
    ['Ccy="EUR"', 'Ccy="euro"'],
    ['pain.001.001.09', 'pain.001.001.03'],
  ];
  for (const [from, to] of broken) {
    expect(good, from).toContain(from);
    expect(whyNotPain(good.replace(from, to)), to).not.toEqual([]);
  }
});

it.each([
  ['Åsa Þór Øster', 'Asa Thor Oster'],
  ['Łukasz Żółć', 'Lukasz Zolc'],
  ['Мария Петрова', 'Mariya Petrova'],
  ['Ada  <b>&amp;</b>\u0000\n "x"', 'Ada b amp /b x'],
  ['//Ada//Lovelace/', 'Ada/Lovelace'],
  ['Ada 💸', 'Ada'],
  ['💸', ''],
])('spells %j with letters that banks take', (text, spelled) => {
  expect(bankText(text, 70)).toBe(spelled);
  expect(bankText(text.repeat(40), 70).length).toBeLessThanOrEqual(70);
});

it('knows account numbers, banks and the countries that a currency goes to', () => {
  expect(isIban('DE89370400440532013000')).toBe(true);
  for (const wrong of [
    'DE89370400440532013001',
    'DE8937040044053201300',
    'XX89370400440532013000',
    'DE89',
    '',
    '__proto__',
  ])
    expect(isIban(wrong)).toBe(false);
  expect(['COBADEFF', 'COBADEFFXXX', 'COBADEF', 'C0BADEFF1'].map(isBic)).toEqual([true, true, false, false]);
  expect(isPayable('DE89370400440532013000', 'EUR')).toBe(true);
  // Brazil has IBANs and no SEPA
  expect(isPayable('BR1500000000000010932840814P2', 'EUR')).toBe(false);
  expect(isPayable('BR1500000000000010932840814P2', 'USD')).toBe(true);
});

it.each([
  [1, '0.92', 1],
  [1, '0.4', null],
  [1, '0.5', 1],
  [1000, '0.923456', 923],
  [1250, '0.9234', 1154],
  [10_000_000, '1', 10_000_000],
  [10_000_000, '9999.999999', 99_999_999_990],
  [99_999_999_999, '2', null],
])('takes %i by %s for %s', (minor, rate, amount) => {
  expect(isRate(rate)).toBe(true);
  expect(converted(minor, rate)).toBe(amount);
});

it('takes no rate of zero, below it, or beyond its places', () => {
  for (const rate of ['0', '0.000000', '-1', '1e3', '12345', '1.1234567', 'x', ' 1', '', '.5'])
    expect(isRate(rate)).toBe(false);
});
