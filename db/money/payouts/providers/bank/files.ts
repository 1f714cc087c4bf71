import { Refused } from '../../../../platform/errors.ts';
import { randomText } from '../../../../platform/id.ts';
import type { Db, Pool } from '../../../../platform/postgres/sql.ts';
import type { Settings } from '../../../../platform/runtime/env.ts';
import { isIban } from '../../addresses.ts';
import { converted, isBic, isPayable, isRate } from './accounts.ts';
import { type BankFile, painOf, type Transfer } from './pain.ts';

/** Transfers of one file: banks take some thousands. */
export const max_transfers = 5000;

/** Who pays, in which currency, and how many of it are one dollar. */
export interface BankTerms {
  debtor_name: string;
  debtor_iban: string;
  debtor_bic: string | null;
  currency: BankFile['currency'];
  exchange_rate: string;
  /** When the bank is to pay: `2026-11-30`. */
  execution_day: string;
}

/** A file as it was written. Amounts are minor units of its currency. */
export interface WrittenFile {
  id: string;
  xml: string;
  transfers: number;
  total_minor: number;
  currency: string;
}

const invalid = (problem: string) => new Refused('invalid_input', { problem });

type Debtor = Pick<
  Settings,
  'BANK_DEBTOR_NAME' | 'BANK_DEBTOR_IBAN' | 'BANK_DEBTOR_BIC' | 'BANK_CURRENCY' | 'BANK_EXCHANGE_RATE'
>;

/** The terms of a file by the settings; a rate and a day that are given go first. Refuses `invalid_input`, saying what to set. */
export function bankTerms(settings: Debtor, given: { rate?: string; day?: string }, now: Date): BankTerms {
  const {
    BANK_DEBTOR_NAME: name,
    BANK_DEBTOR_IBAN: iban,
    BANK_DEBTOR_BIC: bic,
    BANK_CURRENCY: currency,
  } = settings;
  const today = now.toISOString().slice(0, 10);
  const execution_day = given.day ?? today;
  const exchange_rate = given.rate ?? (currency === 'USD' ? '1' : (settings.BANK_EXCHANGE_RATE ?? ''));
  if (!name) throw invalid('Set BANK_DEBTOR_NAME: the name of the account’s owner.');
  if (!iban || !isIban(iban)) throw invalid('Set BANK_DEBTOR_IBAN: the IBAN of the account that pays.');
  if (bic && !isBic(bic)) throw invalid('BANK_DEBTOR_BIC is no BIC. Correct it, or leave it out.');
  if (!isRate(exchange_rate))
    throw invalid('Say how many euros one dollar is, such as 0.92: with --rate or BANK_EXCHANGE_RATE.');
  if (currency === 'USD' && Number(exchange_rate) !== 1) throw invalid('Dollars need no rate. Leave it out.');
  if (
    !/^\d{4}-\d\d-\d\d$/.test(execution_day) ||
    Number.isNaN(Date.parse(execution_day)) ||
    execution_day < today
  )
    throw invalid('The day must be today or later, such as 2026-11-30.');
  return {
    debtor_name: name,
    debtor_iban: iban,
    debtor_bic: bic ?? null,
    currency,
    exchange_rate,
    execution_day,
  };
}

/**
 * Puts instructions that wait into a new file, the oldest first and at most 5,000, each into one file only. Null when none
 * waits. Refuses `invalid_input` when an amount is nothing at this rate.
 */
export async function exportBankFile(sql: Pool, terms: BankTerms, now: Date): Promise<WrittenFile | null> {
  return await sql.begin(async (tx) => {
    const waiting = await tx<Array<{ key: string; iban: string; amount_minor: number }>>`
      select key, iban, amount_minor from bank_payouts where state = 'waiting'
      order by created, key limit ${max_transfers} for update`;
    const payable = waiting.filter(({ iban }) => isPayable(iban, terms.currency));
    if (payable.length === 0) return null;
    const amounts = payable.map(({ key, amount_minor }) => {
      const amount = converted(amount_minor, terms.exchange_rate);
      if (amount === null) throw invalid(`Payout ${key} can’t be paid at this rate. Check the rate.`);
      return amount;
    });
    const id = `CAIRN-${now.toISOString().slice(0, 10).replaceAll('-', '')}-${randomText(8)}`;
    await tx`insert into bank_files ${tx({ id, ...terms, created: now })}`;
    await tx`
      update bank_payouts set state = 'exported', file_id = ${id}, file_amount_minor = given.amount
      from unnest(${payable.map(({ key }) => key)}::text[], ${amounts}::bigint[]) as given (key, amount)
      where bank_payouts.key = given.key`;
    return await readFile(tx, id);
  });
}

/** A file that is not confirmed yet, as it was written. Refuses `invalid_input`. */
export async function rewriteBankFile(sql: Pool, id: string): Promise<WrittenFile> {
  const { confirmed } = await fileOf(sql, id);
  if (confirmed) throw invalid(`${id} is confirmed: what it paid is over.`);
  return await readFile(sql, id);
}

async function readFile(db: Db, id: string): Promise<WrittenFile> {
  const file = await fileOf(db, id);
  const transfers = await db<Transfer[]>`
    select key, receiver, iban, file_amount_minor from bank_payouts where file_id = ${id} order by key`;
  const total_minor = transfers.reduce((sum, one) => sum + one.file_amount_minor, 0);
  return {
    id,
    xml: painOf(file, transfers),
    transfers: transfers.length,
    total_minor,
    currency: file.currency,
  };
}

async function fileOf(db: Db, id: string): Promise<BankFile & { confirmed: string | null }> {
  const [file] = await db<Array<BankFile & { confirmed: string | null }>>`
    select id, currency, debtor_name, debtor_iban, debtor_bic, execution_day::text, created, confirmed
    from bank_files where id = ${id}`;
  if (!file) throw invalid(`No file has the message id ${id}.`);
  return file;
}

/** What became of the transfers of a file. */
export interface Confirmed {
  key: string;
  state: 'success' | 'failed';
}

/**
 * Says that the bank paid a file, apart from the keys that `failed`. Gives what became of each; the same again gives the
 * same. Names and account numbers are forgotten. Refuses `invalid_input` for other keys and for another answer than before.
 */
export async function confirmBankFile(
  sql: Pool,
  id: string,
  failed: readonly string[],
  now: Date,
): Promise<Confirmed[]> {
  return await sql.begin(async (tx) => {
    const [file] = await tx`select 1 from bank_files where id = ${id} for update`;
    if (!file) throw invalid(`No file has the message id ${id}.`);
    const before = await tx<Array<{ key: string; state: string }>>`
      select key, state from bank_payouts where file_id = ${id} order by key for update`;
    const keys = new Set(before.map(({ key }) => key));
    const stranger = failed.find((key) => !keys.has(key));
    if (stranger) throw invalid(`${stranger} is not in ${id}. Give end-to-end ids of this file.`);
    const outcomes = before.map(
      ({ key }): Confirmed => ({ key, state: failed.includes(key) ? 'failed' : 'success' }),
    );
    // what came back later was paid
    const answered = before.map(({ key, state }) => ({
      key,
      state: state === 'returned' ? 'success' : state,
    }));
    const changed = answered.find(({ state }, at) => state !== 'exported' && state !== outcomes[at]!.state);
    if (changed) throw invalid(`${id} is confirmed already: ${changed.key} was ${changed.state}.`);
    await tx`
      update bank_payouts set receiver = '', iban = '',
        state = case when key = any(${[...failed]}::text[]) then 'failed' else 'success' end
      where file_id = ${id} and state = 'exported'`;
    await tx`update bank_files set confirmed = ${now} where id = ${id} and confirmed is null`;
    return outcomes;
  });
}
