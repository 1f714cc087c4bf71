import { LRUCache } from 'lru-cache';
import { Refused } from '../errors.ts';
import { ConcurrencyLimiter } from '../runtime/concurrency.ts';
import type { Requester } from './rendered.ts';

/** Maximum number of queued texts, in total and per account. */
const max_waiting = 500;
const max_waiting_per_account = 50;
/** Thread time per account: a token bucket that refills within a minute. */
const budget_ms = 20_000;
const budget_period_ms = 60_000;
const max_accounts = 10_000;

export interface RenderQueue {
  /**
   * Runs `work` when a thread is free. Each account has at most one text in progress, so that accounts share threads
   * fairly. `work` returns the thread time it used: what an account may use of it in a minute is what this queue adds to
   * `ConcurrencyLimiter`. Without an account (seeds, jobs) only the threads limit it. Refuses `busy` (500 texts queued), `too_fast` (50 of this account), `rate_limited` (20 s of thread time in a
   * minute), `upload_incomplete` (the signal was aborted: the client disconnected).
   */
  run<T>(from: Requester, work: () => Promise<{ value: T; worked_ms: number }>): Promise<T>;
}

interface Account {
  turns: ConcurrencyLimiter;
  used_ms: number;
  at_ms: number;
}

/** A queue for `threads` threads. `now_ms` is a monotonic clock. */
export function createRenderQueue(threads: number, now_ms = () => performance.now()): RenderQueue {
  const threadTurns = new ConcurrencyLimiter({ max_running: threads, max_waiting });
  const accounts = new LRUCache<string, Account>({ max: max_accounts });
  let waiting = 0;

  const accountOf = (id: string): Account => {
    const known = accounts.get(id);
    if (known) return known;
    const turns = new ConcurrencyLimiter({ max_running: 1, max_waiting: max_waiting_per_account });
    const account = { turns, used_ms: 0, at_ms: now_ms() };
    accounts.set(id, account);
    return account;
  };

  const settle = (account: Account): void => {
    const back_ms = ((now_ms() - account.at_ms) * budget_ms) / budget_period_ms;
    account.used_ms = Math.max(0, account.used_ms - back_ms);
    account.at_ms = now_ms();
  };

  const assertInBudget = (account: Account): void => {
    settle(account);
    if (account.used_ms < budget_ms) return;
    const over_ms = account.used_ms - budget_ms + 1;
    const retry_after_ms = Math.ceil((over_ms * budget_period_ms) / budget_ms);
    const retry_after_seconds = Math.ceil(retry_after_ms / 1000);
    throw new Refused('rate_limited', { retry_after_ms, retry_after_seconds });
  };

  async function runAs<T>(
    { account: id, signal }: Requester,
    work: () => Promise<{ value: T; worked_ms: number }>,
  ): Promise<T> {
    const asking = { client: '', signal };
    const onThread = async () => await threadTurns.run(work, asking);
    if (id === undefined) return (await onThread()).value;
    const account = accountOf(id);
    if (account.turns.waiting >= max_waiting_per_account) throw new Refused('too_fast');
    return await account.turns.run(async () => {
      assertInBudget(account);
      const { value, worked_ms } = await onThread();
      settle(account);
      account.used_ms += worked_ms;
      return value;
    }, asking);
  }

  return {
    async run(from, work) {
      if (waiting >= max_waiting) throw new Refused('busy');
      waiting++;
      try {
        const value = await runAs(from, work);
        if (from.signal?.aborted) throw new Refused('upload_incomplete');
        return value;
      } catch (error) {
        throw from.signal?.aborted ? new Refused('upload_incomplete') : error;
      } finally {
        waiting--;
      }
    },
  };
}
