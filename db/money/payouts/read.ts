import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { openPayoutStates, type PayoutState, type PayoutType, type WithdrawalFacts } from './rules.ts';
import { taxThreshold } from './tax/rules.ts';
import type { TaxForms } from './tax/tax-forms.ts';

/** Payouts that the API and a page list at most. */
const max_payouts = 1_000;

/** A payout as its owner sees it. Amounts are minor units of US dollars; `amount_minor` includes the fee. */
export interface PayoutView {
  id: string;
  state: PayoutState;
  method_type: PayoutType;
  method_id: string;
  method_name: string;
  address: string;
  provider: string;
  amount_minor: number;
  fee_minor: number;
  failure: string | null;
  created: string;
  settled: string | null;
}

const columns = (db: Db) => db`
  id, state, method_type, method_id, method_name, address, provider, amount_minor, fee_minor, failure, created, settled`;

/** The payouts of a person, the latest first; only of a year in UTC and a type of method where these are given. */
export const payoutsOf = async (
  db: Db,
  user_id: string,
  { year = null, type = null }: { year?: number | null; type?: PayoutType | null } = {},
): Promise<PayoutView[]> =>
  await db<PayoutView[]>`
  select ${columns(db)} from payouts
  where user_id = ${user_id} ${type === null ? db`` : db`and method_type = ${type}`}
    ${year === null ? db`` : db`and extract(year from created at time zone 'UTC') = ${year}`}
  order by created desc, id limit ${max_payouts}`;

/** The years and types of methods that somebody has payouts of, the latest year first. */
export async function payoutFiltersOf(
  db: Db,
  user_id: string,
): Promise<{ years: number[]; types: PayoutType[] }> {
  const [row] = await db<[{ years: number[]; types: PayoutType[] }]>`
    select
      array(select distinct extract(year from created at time zone 'UTC')::int from payouts
        where user_id = ${user_id} order by 1 desc limit 100) as years,
      array(select distinct method_type from payouts where user_id = ${user_id} order by 1) as types`;
  return row;
}

/** A payout as staff see it. */
export interface StaffPayout extends PayoutView {
  user_id: string;
  username: string;
  country: string;
  receiver: string;
  reference: string | null;
  checks: number;
  next_check: string;
  /** Since when its provider knows nothing of it. */
  gone_since: string | null;
  /** What the bank said of a transfer that it sent back. */
  return_reason: string | null;
}

/** Which payouts staff look at. */
interface StaffPayoutFilter {
  state?: PayoutState | null;
  id?: string | null;
  user_id?: string | null;
  /** Only those that are not over. */
  is_open?: boolean;
  limit: number;
}

/** The latest payouts of everybody, at most `limit`, that match every given filter. */
export const allPayouts = async (
  db: Db,
  { state = null, id = null, user_id = null, is_open = false, limit }: StaffPayoutFilter,
): Promise<StaffPayout[]> =>
  await db<StaffPayout[]>`
  select p.*, u.username, b.return_reason from (
    select ${columns(db)}, user_id, country, receiver, reference, checks, next_check, gone_since from payouts
    where true ${state === null ? db`` : db`and state = ${state}`} ${id === null ? db`` : db`and id = ${id}`}
      ${user_id === null ? db`` : db`and user_id = ${user_id}`}
      ${is_open ? db`and state = any(${openPayoutStates as string[]})` : db``}
    order by created desc, id limit ${limit}
  ) p join users u on u.id = p.user_id left join bank_payouts b on b.key = p.id order by p.created desc, p.id`;

/** Which rows of `payouts` are open for more than a week. */
export const isHanging = (db: Db, now: Date) =>
  db`(state = any(${openPayoutStates as string[]}) and created < ${now}::timestamptz - interval '7 days')`;

/** Sums over all payouts, for staff; amounts in US cents, what hangs is open for more than a week. */
interface PayoutFigures {
  open: number;
  open_minor: number;
  hanging: number;
  paid_month_minor: number;
}
export async function payoutFigures(db: Db, now: Date): Promise<PayoutFigures> {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const [row] = await db<[PayoutFigures]>`
    select count(*) filter (where is_open)::int as open,
      coalesce(sum(amount_minor) filter (where is_open), 0)::bigint as open_minor,
      count(*) filter (where ${isHanging(db, now)})::int as hanging,
      coalesce(sum(amount_minor - fee_minor) filter (where state = 'success' and settled >= ${month}), 0)::bigint
        as paid_month_minor
    from (select *, state = any(${openPayoutStates as string[]}) as is_open from payouts) p`;
  return row;
}

/** What withdrawals of a person are measured by. Refuses `token_invalid` for a person who is gone. */
export async function withdrawalFactsOf(
  db: Db,
  forms: Pick<TaxForms, 'status'>,
  user_id: string,
  now: Date,
): Promise<WithdrawalFacts> {
  const year = new Date(Date.UTC(now.getUTCFullYear(), 0, 1));
  const [row] = await db<
    Array<{ email_verified: boolean; available_minor: number; withdrawn_year_minor: number }>
  >`
    select u.email_verified and u.email is not null as email_verified,
      (select coalesce(-sum(amount_minor), 0)::bigint from ledger_entries where account_id = ${`creator:${user_id}`})
        as available_minor,
      (select coalesce(sum(amount_minor), 0)::bigint from payouts where user_id = u.id and created >= ${year}
        and state not in ('cancelled', 'failed')) as withdrawn_year_minor
    from users u where u.id = ${user_id}`;
  if (!row) throw new Refused('token_invalid');
  const form = await forms.status(db, user_id, now);
  const threshold_minor = taxThreshold(now.getUTCFullYear()) * 100;
  return { ...row, tax_status: form.status, threshold_minor };
}
