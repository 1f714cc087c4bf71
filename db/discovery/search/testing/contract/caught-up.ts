import { expect, vi } from 'vitest';
import type { Pool } from '../../../../platform/postgres/sql.ts';

/** Waits until every event so far is readable: open transactions of other databases on the server delay events. */
export async function readable(sql: Pool): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(
        await sql`select from events where xact >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`,
      ).toHaveLength(0),
    { timeout: 15_000, interval: 20 },
  );
}

/** Lets the consumer handle all events so far. */
export async function syncIndex(sql: Pool, reader: { step(): Promise<number> }): Promise<void> {
  await readable(sql);
  while ((await reader.step()) > 0);
}
