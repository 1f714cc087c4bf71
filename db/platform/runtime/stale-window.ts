/** Moments in milliseconds of one monotonic clock (`performance.now`). */
export interface Outage {
  /** Every event committed before this moment is applied to the stored pages. */
  confirmed_at: number;
  /** The latest moment at which the outage may have begun. */
  away_since: number;
  now: number;
}

/** What was hidden this long before the outage is in no page that is served. Source: design §4.3. */
export const unconfirmed_ms = 2_000;

/**
 * Whether stored pages may be served although Postgres is away.
 *
 * A process asks for new events twice a second, and at once when it is notified of one. When an answer has been applied,
 * everything committed before the question was sent is applied: that moment is `confirmed_at`. What was committed later
 * may be missing. Nobody knows when a server stopped that says nothing any more, but not later than `away_since`: until
 * then it was heard on some connection, or had not been asked yet. So everything committed two seconds before the outage
 * is applied if and only if `confirmed_at` is at most two seconds before `away_since`. Usually that is half a second. It
 * is more when the process had lost its events before the outage, when it was suspended, or when Postgres answered more
 * and more slowly before it stopped; then nothing is served.
 *
 * The age limit counts from the same moment, since from then on nobody knows whether a page is still right. At the limit
 * itself pages are still served; a limit of 0 serves none.
 */
export const mayServeStale = ({ confirmed_at, away_since, now }: Outage, limit_ms: number): boolean =>
  limit_ms > 0 && confirmed_at >= away_since - unconfirmed_ms && now - confirmed_at <= limit_ms;
