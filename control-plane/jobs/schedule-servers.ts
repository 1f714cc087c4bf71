import type { AppContext } from '#db/context.ts';
import { scheduleServer, unscheduled } from '#db/hosting/servers/schedule.ts';
import { defineJob } from './define.ts';

/** Servers tried in one run: the next run takes the others. */
const max_servers = 200;

/** Schedules servers that wait for a node: one was added, or another server was deleted. */
export const scheduleServers = defineJob({
  name: 'schedule_servers',
  queue: { retryLimit: 3, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * * *', unique_s: 10 },
  run: ({ sql, now }) => scheduleWaiting({ sql, now }),
});

/** The job's work, which a control plane also does as soon as a node has room. */
export async function scheduleWaiting({
  sql,
  now,
}: Pick<AppContext, 'sql' | 'now'>): Promise<{ waiting: number; placed: number } | undefined> {
  const waiting = await unscheduled(sql, max_servers);
  let scheduled = 0;
  for (const id of waiting)
    if ((await sql.begin((tx) => scheduleServer(tx, id, now()))).placed) scheduled += 1;
  return waiting.length > 0 ? { waiting: waiting.length, placed: scheduled } : undefined;
}
