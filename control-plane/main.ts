import { writeStaffNotice } from '#content/staff-notices.ts';
import { projectUpdatesConsumer } from '#db/catalogue/follows/project-updates.ts';
import { enqueueOutdated } from '#db/catalogue/scans/enqueue.ts';
import { scanBacklog } from '#db/catalogue/scans/read.ts';
import { openContext } from '#db/context.ts';
import { indexConsumers, serverCursor } from '#db/discovery/search/consumers.ts';
import { health } from '#db/health.ts';
import { serverAlertConsumer } from '#db/hosting/server-alerts/consumer.ts';
import { unverifyOnce } from '#db/messages/mail/first-configured.ts';
import { countWaitingMails } from '#db/messages/mail/outbox.ts';
import { mailMode } from '#db/messages/mail/queue.ts';
import { staffNoticeConsumer } from '#db/messages/staff-notices/consumer.ts';
import { webhookConsumer } from '#db/messages/webhooks/consumer.ts';
import { auditConsumer } from '#db/moderation/audit/consumer.ts';
import { rules_version } from '#db/moderation/scanner/rules.ts';
import { openScanner } from '#db/moderation/scanner/scanner.ts';
import { tellOfLoss } from '#db/money/billing/mails/server-loss.ts';
import { paymentProcessor } from '#db/money/billing/processors/select.ts';
import { payoutProviders } from '#db/money/payouts/providers/select.ts';
import { runConsumers } from '#db/platform/events/consumer.ts';
import { countUnreadEvents, deleteCursor } from '#db/platform/events/read.ts';
import { openQueue } from '#db/platform/jobs/queue.ts';
import type { JobName, Queue } from '#db/platform/jobs/queues.ts';
import { countWaitingJobs } from '#db/platform/jobs/read.ts';
import { openDatabaseClock } from '#db/platform/postgres/database-clock.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { addressText, planeAddress } from '#db/platform/runtime/control-address.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { watchEventLoop } from '#db/platform/runtime/event-loop.ts';
import { createRegistry, durations, gauge } from '#db/platform/runtime/metrics.ts';
import { databaseAddress } from '#db/platform/runtime/settings/data.ts';
import { onShutdown, type Shutdown } from '#db/platform/runtime/shutdown.ts';
import type { Health } from '#db/platform/runtime/status-endpoints.ts';
import { handleStatusRequest } from '#db/platform/runtime/status-endpoints.ts';
import { isOwnStorage } from '#db/platform/storage/pairing.ts';
import { createControlPlane } from './control-plane.ts';
import { jobs } from './jobs/all.ts';
import { startTimers, startWorkers } from './jobs/run.ts';
import { eventMailConsumer } from './mail/event-mails.ts';
import { createMailSender } from './mail/sender.ts';
import { registerMetrics } from './metrics/metrics.ts';
import { runOutboxSender } from './outbox/outbox-sender.ts';
import { createScanRunner } from './scans/runner.ts';
import { agentStreams } from './sftp/agent-streams.ts';
import { openSftpServer } from './sftp/server.ts';
import { createHttpServer, listenOn } from './sockets/http-listen.ts';
import { createStaffNoticeSender } from './staff-notices/sender.ts';
import { createWebhookSender } from './webhooks/sender.ts';

const settings = parseSettings(process.env);
const opened = openContext(settings, 'control plane', { connections: 10 });
const { sql, log } = opened;
const shutdown: Shutdown = onShutdown(log);
shutdown.add(() => opened.close());
// leases, rights and deadlines are compared between planes
const clock = await openDatabaseClock(sql, log);
shutdown.add(() => clock.close());
const context = { ...opened, now: clock.now };

if (!(await isOwnStorage(sql, context.storage)))
  log.error('The stored files belong to another database: check DATABASE_URL and DATA_DIR');

const queues = Object.fromEntries(Object.entries(jobs).map(([name, { queue }]) => [name, queue]));
const board = await openQueue(databaseAddress(settings)!, log, { queues: queues as Record<JobName, Queue> });
shutdown.add(() => board.close(5_000));
const billing = { sql, payments: paymentProcessor(settings), board, mailing: context };
await startWorkers(jobs, board, { ...context, ...billing, payouts: payoutProviders(settings, sql) });
shutdown.add(
  startTimers(jobs, board, (job, err) => log.error({ job, err }, 'Scheduled job could not be enqueued')),
);
await board.enqueueUnique('rerender_texts', {}, 60); // this start may have brought a new renderer

if (settings.SEARCH_ENGINE !== 'opensearch') await deleteCursor(sql, serverCursor);
shutdown.add(
  await runConsumers(
    sql,
    [
      ...indexConsumers(context),
      auditConsumer(sql),
      projectUpdatesConsumer(sql),
      webhookConsumer(context),
      serverAlertConsumer(context, tellOfLoss),
      eventMailConsumer(context),
      staffNoticeConsumer({ ...context, write: writeStaffNotice }),
    ],
    {
      log,
    },
  ),
);

if (mailMode(settings) === 'off')
  log.warn(
    'No mail is sent, so addresses of new accounts stay unverified: set SMTP_URL, or cairn user verify',
  );
if (settings.SMTP_URL) {
  const unverified = await unverifyOnce(context);
  if (unverified > 0) log.info({ unverified }, 'Mail is configured: addresses have to be verified');
  shutdown.add(runOutboxSender(createMailSender(context, settings.SMTP_URL), 'mails', log));
}

shutdown.add(runOutboxSender(createWebhookSender(context), 'webhooks', log));
shutdown.add(runOutboxSender(createStaffNoticeSender(context), 'staff notices', log));

const outdated = await enqueueOutdated(sql, rules_version, context.now());
if (outdated > 0) log.info({ files: outdated }, 'The rules of the scanner changed: files are scanned again');
const scanner = openScanner();
shutdown.add(() => scanner.close());

const registry = createRegistry('control plane');
const loop = watchEventLoop(log);
shutdown.add(() => loop.close());
const delays = durations(
  registry,
  'scan_delay_seconds',
  'Seconds from an upload to the result of its scan',
  [],
);
const scans = createScanRunner(context, scanner, (waited_s) => delays.observe(waited_s));
shutdown.add(runOutboxSender(scans, 'file scans', log));
gauge(registry, 'jobs_waiting', 'Jobs enqueued and not taken yet', () => countWaitingJobs(sql));
gauge(registry, 'events_unread', 'Events the slowest consumer has not handled, 10000 at most', () =>
  countUnreadEvents(sql),
);
gauge(registry, 'scans_waiting', 'Files that wait to be scanned', async () => (await backlog()).waiting);
gauge(registry, 'scans_failed', 'Files that could not be scanned', async () => (await backlog()).failed);
gauge(
  registry,
  'scan_wait_seconds',
  'How long the first of the new files has waited for its scan',
  async () => (await backlog()).oldest_s,
);
gauge(registry, 'mails_waiting', 'Mails that wait to be sent', () => countWaitingMails(sql));
const backlog = () => scanBacklog(sql, context.now());
const status = {
  address: '',
  metrics: settings.METRICS,
  registry,
  health: async () => withMembership(await health(context)),
};
/** A plane that does not count as alive serves nothing. */
const withMembership = (found: Health): Health =>
  plane.context.membership.isHeld()
    ? found
    : { ...found, ready: false, missing: [...found.missing, 'membership'] };
const server = createHttpServer((req, res) => {
  handleStatusRequest(req, res, req.url ?? '/', status)
    .then(async (handled) => handled || (await plane.transfers.handle(req, res)) || res.writeHead(404).end())
    .catch((err) => {
      log.error({ err }, 'HTTP request failed');
      res.writeHead(500).end();
    });
});
// consoles do not wait for jobs, and a plane that is cut off soon locks no node any more: its agents connect elsewhere
const hosting = connect({
  ...{
    address: databaseAddress(settings)!,
    max: 6,
    application: 'cairn hosting',
    idle_transaction_ms: 5_000,
  },
});
shutdown.add(() => hosting.end({ timeout: 2 }));
const plane = await createControlPlane({ ...context, sql: hosting }, server, billing);
registerMetrics(registry, plane);
const address = planeAddress(settings);
await listenOn(server, address);
shutdown.add(() => server.close());
await plane.join(addressText(address));
shutdown.add(() => plane.close());
if (settings.SFTP_PORT !== undefined) {
  const where = { host: settings.SFTP_HOST, port: settings.SFTP_PORT };
  const sftp = await openSftpServer(plane.context, agentStreams(plane.context), where);
  shutdown.add(() => sftp.close());
}
log.info('Control plane ready');
