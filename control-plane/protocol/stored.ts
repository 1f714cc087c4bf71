import type { z } from 'zod';
import type { AppContext } from '#db/context.ts';
import type { BillingContext } from '#db/money/billing/checkout.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db, Pool, Transaction } from '#db/platform/postgres/sql.ts';
import type { RateLimit } from './ack.ts';

/** What a request that the database answers works with, beside its message. */
export interface Call<D extends Db> extends Pick<AppContext, 'settings' | 'sealer' | 'now'> {
  db: D;
  /** Who the user is now, not at the handshake: rules are asked about them. */
  actor: Actor;
  billing: BillingContext;
}

/** A request that the database answers, whatever plane got it: shapes, rate limit, and what is done. It needs no handler. */
interface StoredRequest<I extends z.ZodType, O extends z.ZodObject, W> {
  input: I;
  output: O;
  limit: RateLimit;
  /** What it changes, in one transaction. The function of `db/` that it calls asks whether the user may. */
  write?(call: Call<Transaction>, message: z.output<I>): Promise<W>;
  /** Its answer, after the transaction; `written` is what `write` gave. */
  answer(call: Call<Pool>, message: z.output<I>, written: W): z.input<O> | Promise<z.input<O>>;
}

/** One row of a map of requests, for a request that the database answers. */
export const stored = <I extends z.ZodType, O extends z.ZodObject, W>(
  request: StoredRequest<I, O, W>,
): StoredRequest<I, O, W> => request;
