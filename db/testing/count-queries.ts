import type { Pool } from '../platform/postgres/sql.ts';

/** A statement of the driver: it runs when it is awaited; one inside another is a fragment and never is. */
interface Statement {
  executed: boolean;
  handle(): unknown;
}
const isStatement = (value: unknown): value is Statement =>
  value !== null && typeof value === 'object' && 'executed' in value && 'handle' in value;

/** A pool like `sql` that counts the statements it runs. */
export function countingQueries(sql: Pool): { sql: Pool; count(): number } {
  let queries = 0;
  const counted = new Proxy(sql, {
    apply(target, that, args) {
      const query: unknown = Reflect.apply(target as never, that, args);
      if (!isStatement(query)) return query;
      const run = query.handle.bind(query);
      query.handle = () => {
        if (!query.executed) queries++;
        return run();
      };
      return query;
    },
  });
  return { sql: counted, count: () => queries };
}
