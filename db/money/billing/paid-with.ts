import type { Db } from '../../platform/postgres/sql.ts';

/** Fragments of queries about subscriptions and charges: what is paid for, and with what. */

/**
 * What a subscription is for, by name: its server `s`, or what its order `o` calls it while there is none. Null for Plus, which has
 * neither. Both are joined from the subscription.
 */
export const serviceName = (db: Db) => db`coalesce(s.name, o.name)`;

/** The card of the payment method `m`, as `PaidCard`; null where none is joined. */
export const cardOf = (db: Db) => db`
  case when m.id is null then null else jsonb_build_object('brand', m.brand, 'last_four', m.last_four) end`;
