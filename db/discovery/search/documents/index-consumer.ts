import { setTimeout as wait } from 'node:timers/promises';
import { cursorOf, eventsAfter, latestCursor, saveCursor } from '../../../platform/events/read.ts';
import type { Pool } from '../../../platform/postgres/sql.ts';
import type { SearchIndex } from '../engine.ts';
import { affectedBy } from './affected.ts';
import { changesOf, chunks, countersOf } from './changes.ts';
import { allDocuments } from './documents.ts';

type Mine = { mine: boolean };

/**
 * Keeps `engine` up to date with the catalogue. `step` handles the next batch of events and stores the cursor in the
 * same transaction; it gives the number of events handled, 0 when there is nothing to do or another process holds the
 * lock. The very first step, an index of another format and a load that does not name its projects cause a rebuild.
 * `rebuild` builds a new index from the catalogue while the old one answers; it gives false when another process holds
 * the lock longer than `patience_ms`: a step takes moments, another rebuild longer. Every step is idempotent: changes
 * carry states, not differences. `name` is the name of the cursor: every index has its own.
 */
export function indexConsumer(sql: Pool, engine: SearchIndex, name = 'search') {
  // checked until true; afterwards only this consumer writes to the index
  let current = false;

  const rebuild = async (timeout_ms = 0): Promise<boolean> =>
    await unlessBusy(sql, { name, timeout_ms }, async () => {
      // read first: events during the read of documents are handled again
      const cursor = await latestCursor(sql);
      await engine.rebuild(allDocuments(sql));
      await saveCursor(sql, name, cursor);
    });

  const step = async (): Promise<number> => {
    if (!current) current = (await cursorOf(sql, name)) !== null && (await engine.current());
    if (!current) return (await rebuild()) ? 1 : 0;
    const done = (await sql.begin(async (tx) => {
      const [row] = await tx<Mine[]>`select pg_try_advisory_xact_lock(hashtext(${`cairn.${name}`})) as mine`;
      const cursor = row?.mine ? await cursorOf(tx, name) : null;
      if (!cursor) return 0;
      const { events, everything, projects, counted } = await affectedBy(tx, await eventsAfter(tx, cursor));
      const last = events.at(-1);
      if (!last) return 0;
      if (everything) return 'rebuild';
      for (const ids of chunks([...projects])) await engine.apply(await changesOf(tx, ids), tx);
      const rest = [...counted].filter((id) => !projects.has(id));
      for (const ids of chunks(rest)) await engine.apply(await countersOf(tx, ids), tx);
      await saveCursor(tx, name, last);
      return events.length;
    })) as number | 'rebuild';
    if (done === 'rebuild') return (await rebuild()) ? 1 : 0;
    return done;
  };

  return { name, step, rebuild };
}

const retry_ms = 50;

/**
 * Runs `work` under the index lock, outside any transaction. Gives false when another process held the lock for all of
 * `patience_ms`.
 */
async function unlessBusy(
  sql: Pool,
  { name, timeout_ms }: { name: string; timeout_ms: number },
  work: () => Promise<void>,
): Promise<boolean> {
  const lock = `cairn.${name}`;
  const end = performance.now() + timeout_ms;
  const connection = await sql.reserve();
  try {
    const mine = async () =>
      (await connection<Mine[]>`select pg_try_advisory_lock(hashtext(${lock})) as mine`)[0]?.mine === true;
    while (!(await mine())) {
      if (performance.now() >= end) return false;
      await wait(retry_ms);
    }
    try {
      await work();
      return true;
    } finally {
      await connection`select pg_advisory_unlock(hashtext(${lock}))`;
    }
  } finally {
    connection.release();
  }
}
