import { beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../../platform/id.ts';
import { parseSettings } from '../../../../platform/runtime/env.ts';
import { testDatabase } from '../../../../testing/database.ts';
import { whyNotPain } from '../../../../testing/pain.ts';
import type { PayoutProvider, PayoutRecord, PayoutRequest } from '../../provider.ts';
import { bankPayouts } from './adapter.ts';
import { bankTerms, confirmBankFile, exportBankFile, rewriteBankFile } from './files.ts';

const database = testDatabase();
const now = new Date('2026-11-27T12:00:00Z');
const settings = parseSettings({
  PAYOUTS: 'bank',
  BANK_DEBTOR_NAME: 'Köhler & Söhne',
  BANK_DEBTOR_IBAN: 'DE89 3704 0044 0532 0130 00',
  BANK_EXCHANGE_RATE: '0.92',
});
const terms = bankTerms(settings, {}, now);
let bank: PayoutProvider;

beforeAll(() => {
  bank = bankPayouts(settings, database.sql);
});
beforeEach(async () => {
  await database.sql`delete from bank_payouts`;
  await database.sql`delete from bank_files`;
});

function ask(given: Partial<PayoutRequest> = {}, address = 'NL91ABNA0417164300'): PayoutRequest {
  const receiver = { user_id: newId(), name: 'Zoë O’Hara', country: 'NL', address };
  return { key: newId(), method_id: 'iban', receiver, amount_minor: 1000, currency: 'EUR', now, ...given };
}
const stateOf = async (key: string) => (await bank.retrieve({ key, reference: null })).state;
const exported = async () => (await exportBankFile(database.sql, terms, now))!;

it('offers transfers in the countries that its currency goes to', async () => {
  expect(await bank.methods('DE')).toMatchObject([{ id: 'iban', currency: 'EUR', exchange_rate: 0.92 }]);
  expect(await bank.methods('US')).toEqual([]);
  const dollars = bankPayouts({ BANK_CURRENCY: 'USD' }, database.sql);
  expect(await dollars.methods('BR')).toMatchObject([{ currency: null, exchange_rate: null }]);
});

it('keeps an instruction once, and refuses accounts that cannot be paid', async () => {
  const asked = ask();
  const all = await Promise.all([1, 2, 3].map(() => bank.send(asked)));
  for (const one of all) expect(one).toEqual({ reference: asked.key, state: 'in-transit', failure: null });
  for (const address of ['NL92ABNA0417164300', 'BR1500000000000010932840814P2', 'x', ''])
    expect(await bank.send(ask({}, address))).toMatchObject({ state: 'failed', failure: 'receiver_unknown' });
  for (const amount_minor of [0, -5, 1.5])
    expect(await bank.send(ask({ amount_minor }))).toMatchObject({ state: 'failed' });
  expect((await exported()).transfers).toBe(1);
  expect(await bank.retrieve({ key: 'nothing', reference: null })).toMatchObject({ reference: null });
});

it('writes what waits into a valid file, each into one, also when two are written at once', async () => {
  const keys = new Set<string>();
  for (let n = 0; n < 40; n += 1) {
    const asked = ask({ amount_minor: 100 + n });
    keys.add(asked.key);
    await bank.send(asked);
  }
  const files = await Promise.all([1, 2, 3].map(() => exportBankFile(database.sql, terms, now)));
  const written = files.filter((file) => file !== null);
  const found = written.flatMap(({ xml }) => [...xml.matchAll(/<EndToEndId>(\w+)</g)].map(([, key]) => key!));
  expect(found.toSorted()).toEqual([...keys].toSorted());
  for (const { xml } of written) expect(whyNotPain(xml)).toEqual([]);
  expect(written[0]!.xml).toContain("<Nm>Zoe O'Hara</Nm>");
  expect(await exportBankFile(database.sql, terms, now)).toBeNull();
});

it('writes the same file again until it is confirmed', async () => {
  await bank.send(ask());
  const { id, xml } = await exported();
  expect(await rewriteBankFile(database.sql, id)).toMatchObject({ xml, transfers: 1, total_minor: 920 });
  await confirmBankFile(database.sql, id, [], now);
  await expect(rewriteBankFile(database.sql, id)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(rewriteBankFile(database.sql, 'CAIRN-1')).rejects.toMatchObject({ code: 'invalid_input' });
});

it('cancels what waits, and nothing that the bank may have', async () => {
  const [waits, sent] = [ask(), ask()];
  await bank.send(waits);
  expect(await bank.cancel!({ key: waits.key, reference: null })).toMatchObject({ state: 'cancelled' });
  await bank.send(sent);
  await exported();
  expect(await bank.cancel!({ key: sent.key, reference: null })).toMatchObject({ state: 'in-transit' });
  // a canceled one is not sent by another try
  expect(await bank.send(waits)).toMatchObject({ state: 'cancelled' });
  expect(await exportBankFile(database.sql, terms, now)).toBeNull();
});

it('confirms a file once, with what failed, and forgets who got it', async () => {
  const [paid, failed] = [ask(), ask()];
  await bank.send(paid);
  await bank.send(failed);
  const { id } = await exported();
  const confirm = async (keys: string[], file = id) => await confirmBankFile(database.sql, file, keys, now);
  const invalid = { code: 'invalid_input' };
  await expect(confirm(['stranger'])).rejects.toMatchObject(invalid);
  await expect(confirm([], 'CAIRN-1')).rejects.toMatchObject(invalid);
  expect(await stateOf(paid.key)).toBe('in-transit');
  const outcomes = await confirm([failed.key]);
  expect(new Map(outcomes.map(({ key, state }) => [key, state]))).toEqual(
    new Map([
      [paid.key, 'success'],
      [failed.key, 'failed'],
    ]),
  );
  expect([await stateOf(paid.key), await stateOf(failed.key)]).toEqual(['success', 'failed']);
  expect(await confirm([failed.key])).toEqual(outcomes);
  await expect(confirm([])).rejects.toMatchObject(invalid);
  const left = await database.sql`select 1 from bank_payouts where iban <> '' or receiver <> ''`;
  expect(left).toHaveLength(0);
});

it('refuses a file without a debtor, a rate, or a day to come', () => {
  const given = (env: Record<string, string>) => ({ ...settings, ...parseSettings(env) });
  const refuses = (work: () => unknown, text: string) => expect(work).toThrow(text);
  refuses(() => bankTerms(parseSettings({}), {}, now), 'BANK_DEBTOR_NAME');
  refuses(
    () => bankTerms({ ...settings, BANK_DEBTOR_IBAN: 'DE89370400440532013001' }, {}, now),
    'BANK_DEBTOR_IBAN',
  );
  refuses(() => bankTerms({ ...settings, BANK_DEBTOR_BIC: 'XX' }, {}, now), 'BANK_DEBTOR_BIC');
  refuses(() => bankTerms(settings, { rate: '0' }, now), 'How many euros'.slice(1));
  refuses(() => bankTerms(settings, { day: '2026-11-26' }, now), 'today or later');
  refuses(() => bankTerms(settings, { day: '2026-13-01' }, now), 'today or later');
  const dollars = {
    ...given({ BANK_CURRENCY: 'USD' }),
    BANK_DEBTOR_NAME: 'K',
    BANK_DEBTOR_IBAN: settings.BANK_DEBTOR_IBAN,
  };
  expect(bankTerms(dollars, {}, now)).toMatchObject({ currency: 'USD', exchange_rate: '1' });
});

it('puts nothing into a file when an amount would be nothing at the rate', async () => {
  const asked = ask({ amount_minor: 25 });
  await bank.send(asked);
  const tiny = { ...terms, exchange_rate: '0.000001' };
  await expect(exportBankFile(database.sql, tiny, now)).rejects.toMatchObject({ code: 'invalid_input' });
  expect((await exported()).transfers).toBe(1);
});

it('lists instructions over pages, each once', async () => {
  const rows = Array.from({ length: 620 }, (_, n) => ({
    ...{ key: `K${n}`, receiver: 'A', iban: 'X', amount_minor: n + 1, state: 'waiting', created: now },
  }));
  await database.sql`insert into bank_payouts ${database.sql(rows)}`;
  const listed: PayoutRecord[] = [];
  for await (const one of bank.list({ from: now, until: new Date(now.getTime() + 1) })) listed.push(one);
  expect(new Set(listed.map(({ key }) => key)).size).toBe(620);
  expect(listed.reduce((sum, { amount_minor }) => sum + amount_minor, 0)).toBe((620 * 621) / 2);
});
