import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTags } from '#db/catalogue/tags/write.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { measureFanOut } from '#db/testing/fan-out.ts';
import { atMost, type Row, ratioAtMost } from './report.ts';

const followers = 10_000;

/** Notifies the followers of one project in a Postgres of its own, with reads beside it. Adds to `rows`. */
export async function measureNotifications(rows: Row[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-notifications-'));
  const server = await startPostgres(folder);
  const pools = [1, 2].map(() => connect({ address: server.address, max: 2 }));
  const [writing, reading] = pools as [(typeof pools)[number], (typeof pools)[number]];
  try {
    await migrate(writing);
    await loadTags(writing);
    const context = { sql: reading, settings: parseSettings({}) };
    const { took_ms, notified, alone_ms, beside_ms } = await measureFanOut(writing, context, followers);
    if (notified !== followers) throw new Error(`${notified} of ${followers} followers were notified`);
    rows.push(
      atMost(`${followers} notifications for one event`, took_ms / 1000, 10, 's'),
      ratioAtMost(2, {
        name: 'reads beside it to reads alone',
        ratio: beside_ms / alone_ms,
        ours: `${beside_ms.toFixed(2)} ms`,
        baseline: `${alone_ms.toFixed(2)} ms`,
      }),
    );
  } finally {
    for (const pool of pools) await pool.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
