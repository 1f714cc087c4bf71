import { openPayments } from '#db/billing/open.ts';
import { controlDoor } from '#db/doors.ts';
import { type Ending, endWell } from '#db/ending.ts';
import { databaseAddress, settings as ownSettings } from '#db/env.ts';
import { follow } from '#db/events/loop.ts';
import { dropCursor } from '#db/events/read.ts';
import { health } from '#db/health.ts';
import { openBoard } from '#db/jobs/board.ts';
import type { JobName } from '#db/jobs/queues.ts';
import { createRegistry, gauge } from '#db/metrics.ts';
import { ownPages } from '#db/own-pages.ts';
import { openRecord } from '#db/record.ts';
import { searchReaders, serverCursor } from '#db/search/readers.ts';
import { hostingGauges } from './hosting-gauges.ts';
import { billDue, matchServers, refundCharge } from './jobs/billing.ts';
import { forgetExpired } from './jobs/forget-expired.ts';
import {
  expireNodesJob,
  expireOperationsJob,
  noticesDue,
  placeServers,
  trimHostingJob,
} from './jobs/hosting.ts';
import { openServerJob } from './jobs/open-server.ts';
import { renderAnew } from './jobs/render-anew.ts';
import { type Job, runJob } from './jobs/run.ts';
import { sweepStorage } from './jobs/sweep-storage.ts';
import { trimEvents } from './jobs/trim-events.ts';
import { createHttpServer, listenOn } from './own-door.ts';
import { createPlane } from './plane.ts';
import { startTimers } from './timers.ts';

const settings = ownSettings();
const record = openRecord(settings, 'control plane', { connections: 10 });
const { sql, log } = record;
const ending: Ending = endWell(log);
ending.add(() => record.close());

const board = await openBoard(databaseAddress(settings)!, log, { keeps: true });
ending.add(() => board.close(5_000));
const till = { sql, payments: openPayments(settings), board };
/** What runs without being asked: jobs, timers and readers of events; then the sockets of agents, panels and staff. */
const jobs: { [N in JobName]: Job<N> } = {
  sweep_storage: sweepStorage,
  render_anew: renderAnew,
  forget_expired: forgetExpired,
  trim_events: trimEvents,
  expire_nodes: expireNodesJob,
  place_servers: placeServers,
  expire_operations: expireOperationsJob,
  notices_due: noticesDue,
  trim_hosting: trimHostingJob,
  open_server: openServerJob,
  match_server: matchServers(till),
  refund_charge: refundCharge(till),
  bill_due: billDue(till),
};
for (const name of Object.keys(jobs) as JobName[])
  await board.work(name, (data) => runJob(record, name, data, jobs[name] as Job<typeof name>));
ending.add(startTimers(board, (job, err) => log.error({ job, err }, 'A timer could not put its job up')));
await board.sendOnce('render_anew', {}, 60); // a new renderer came with this start, perhaps

if (settings.SEARCH_ENGINE !== 'opensearch') await dropCursor(sql, serverCursor);
ending.add(await follow(sql, searchReaders(record), { log }));

const registry = createRegistry('control plane');
gauge(registry, 'jobs_waiting', 'Jobs put up and not taken yet', async () => {
  const [row] =
    await sql`select count(*)::int as waiting from pgboss.job where state in ('created', 'retry')`;
  return row?.waiting ?? 0;
});
gauge(registry, 'events_unread', 'Events the slowest reader has not handled, 10000 at most', async () => {
  const [row] = await sql`
    select count(*)::int as unread from (
      select 1 from events e join event_cursors c on (e.xact, e.id) > (c.xact, c.id) limit 10000) unread`;
  return row?.unread ?? 0;
});
const own = { address: '', metrics: settings.METRICS, registry, health: () => health(record) };
const server = createHttpServer((req, res) => {
  ownPages(req, res, req.url ?? '/', own)
    .then(async (taken) => taken || (await plane.hub.parcels.take(req, res)) || res.writeHead(404).end())
    .catch((err) => {
      log.error({ err }, 'The control plane could not say how it is');
      res.writeHead(500).end();
    });
});
const plane = await createPlane(record, server, till);
hostingGauges(registry, plane.hub);
await listenOn(server, controlDoor(settings));
ending.add(() => server.close());
ending.add(() => plane.close());
log.info('The control plane is ready');
