import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { writeStaffNotice } from '#content/staff-notices.ts';
import { notifyOfTrouble } from '#db/messages/staff-notices/check.ts';
import { staffNoticeConsumer } from '#db/messages/staff-notices/consumer.ts';
import { staffNotices } from '#db/messages/staff-notices/read.ts';
import { notifyStaff } from '#db/messages/staff-notices/write.ts';
import { createReport } from '#db/moderation/reports/write.ts';
import { openQueue } from '#db/platform/jobs/queue.ts';
import type { JobName, Queue } from '#db/platform/jobs/queues.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { jobs } from '../jobs/all.ts';
import { createMailSender } from '../mail/sender.ts';
import { Mailbox, toOf } from '../testing/mailbox.ts';
import { createStaffNoticeSender } from './sender.ts';

const database = testDatabase();
const sealer = createSealer(randomBytes(32));
const log = pino({ level: 'silent' });
const secret = `whsec_${randomBytes(24).toString('base64')}`;
let now = new Date();

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that keeps what it gets and answers with `status`. */
async function receiver(status = () => 204): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(status()).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const contextWith = (given: Record<string, string>) => ({
  sql: database.sql,
  settings: parseSettings({ SITE_URL: 'https://mods.example.org', ...given }),
  now: () => now,
  ...{ sealer, log, write: writeStaffNotice },
});
type Context = ReturnType<typeof contextWith>;

/** A report of a visitor about a project. */
async function report(report_type: 'malicious' | 'spam'): Promise<string> {
  const { sql } = database;
  const [reporter, project] = [await build.user(sql), await build.project(sql)];
  const asked = { report_type, item_type: 'project' as const, item_id: project.id, body: 'Look at it' };
  return await sql.begin((tx) =>
    createReport(tx, build.actorFor(reporter), { ...asked, uploaded_images: [] }, now),
  );
}

beforeEach(async () => {
  now = new Date();
  await database.sql`delete from staff_notices`;
  await database.sql`delete from mails`;
});

describe('a report', () => {
  it('of malicious content reaches webhook, chat and every address once; others reach nobody', async () => {
    const mailbox = new Mailbox();
    const port = await mailbox.open();
    onTestFinished(() => mailbox.close());
    const { url, received } = await receiver();
    const context = contextWith({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      STAFF_EMAIL: 'one@example.org, two@example.org',
      STAFF_WEBHOOK_URL: `${url}/hook`,
      STAFF_WEBHOOK_SECRET: secret,
      STAFF_CHAT_URL: `${url}/chat`,
    });
    const consumers = [staffNoticeConsumer(context), staffNoticeConsumer(context)];
    await consumers[0]!.step();
    const id = await report('malicious');
    await report('spam');
    const cursor = await database.sql`select * from event_cursors where reader = 'staff_notices'`;
    await consumers[0]!.step();
    // a consumer that starts again where the first one began tells nobody twice
    await database.sql`
      update event_cursors set xact = ${cursor[0]!.xact}, id = ${cursor[0]!.id} where reader = 'staff_notices'`;
    await consumers[1]!.step();

    expect((await createStaffNoticeSender(context).step()).taken).toBe(2);
    expect((await createStaffNoticeSender(context).step()).taken).toBe(0);
    const hook = received.find(({ path }) => path === '/hook')!;
    const body = new Webhook(secret).verify(hook.body, hook.headers as Record<string, string>);
    expect(body).toMatchObject({
      type: 'staff.malicious_report',
      data: { report_id: id, item_type: 'project', url: `https://mods.example.org/moderation/reports/${id}` },
    });
    const chat = JSON.parse(received.find(({ path }) => path === '/chat')!.body);
    expect(chat).toMatchObject({
      embeds: [{ title: 'Something was reported as malicious' }],
      allowed_mentions: { parse: [] },
    });
    expect(received).toHaveLength(2);

    await createMailSender(context, context.settings.SMTP_URL!).step();
    expect(mailbox.mails.flatMap(toOf).sort()).toEqual(['one@example.org', 'two@example.org']);
    expect(mailbox.mails[0]!.text).toContain(`https://mods.example.org/moderation/reports/${id}`);
    expect(await staffNotices(database.sql)).toMatchObject([
      {
        kind: 'malicious_report',
        mails: 2,
        calls: [
          { state: 'sent', status: 204 },
          { state: 'sent', status: 204 },
        ],
      },
    ]);
  });
});

describe('what does not arrive', () => {
  const tell = (context: Context, key = 'one') =>
    context.sql.begin((tx) =>
      notifyStaff(tx, context, { kind: 'test', key, data: { username: 'mirelle' } }, now),
    );

  it('is tried again, until the receiver takes it', async () => {
    let status = 500;
    const { url, received } = await receiver(() => status);
    const context = contextWith({ STAFF_CHAT_URL: url });
    await tell(context);
    const sender = createStaffNoticeSender(context);
    await sender.step();
    expect(await staffNotices(database.sql)).toMatchObject([
      { mails: 0, calls: [{ channel: 'chat', state: 'waiting', status: 500, problem: 'status' }] },
    ]);
    status = 200;
    now = new Date(now.getTime() + 10_000);
    await sender.step();
    expect(received).toHaveLength(2);
    expect(await staffNotices(database.sql)).toMatchObject([{ calls: [{ state: 'sent' }] }]);
  });

  it('is given up when the receiver is gone, or its address is not configured anymore', async () => {
    const { url } = await receiver(() => 410);
    await tell(contextWith({ STAFF_CHAT_URL: url }));
    await createStaffNoticeSender(contextWith({ STAFF_CHAT_URL: url })).step();
    await tell(contextWith({ STAFF_CHAT_URL: url }), 'two');
    await createStaffNoticeSender(contextWith({})).step();
    const listed = await staffNotices(database.sql);
    expect(listed.map(({ calls }) => calls[0]?.problem).sort()).toEqual(['not_configured', 'status']);
    expect(listed.map(({ calls }) => calls[0]?.state)).toEqual(['failed', 'failed']);
  });

  it('is listed for staff, and counts no mail where none is sent', async () => {
    await tell(contextWith({ STAFF_EMAIL: 'one@example.org' }));
    expect(await staffNotices(database.sql)).toMatchObject([{ kind: 'test', mails: 0, calls: [] }]);
  });
});

describe('trouble', () => {
  it('is told once: jobs that failed by the hour, a late queue by the day', async () => {
    const { sql } = database;
    const queues = Object.fromEntries(Object.entries(jobs).map(([name, { queue }]) => [name, queue]));
    const board = await openQueue(database.address, log, {
      queues: queues as Record<JobName, Queue>,
      database: database.name,
    });
    onTestFinished(() => board.close(1_000));
    await sql.begin((tx) => board.enqueue(tx, 'sweep_storage', {}));
    await sql.begin((tx) => board.enqueue(tx, 'run_billing', {}));
    await sql`update pgboss.job set state = 'failed', completed_on = ${new Date(now.getTime() - 60_000)} where name = 'sweep_storage'`;
    const project = await build.project(sql, { status: 'processing' });
    await sql`update projects set queued = ${new Date(now.getTime() - 50 * 3_600_000)} where id = ${project.id}`;

    const context = contextWith({});
    expect(await notifyOfTrouble(context, now)).toBe(2);
    expect(await notifyOfTrouble(context, now)).toBe(0);
    const listed = await staffNotices(sql);
    expect(listed.map(({ kind, data }) => [kind, data])).toEqual(
      expect.arrayContaining([
        ['job_failed', { job: 'sweep_storage', count: 1 }],
        ['review_late', { waiting: 1, hours: 50 }],
      ]),
    );
    now = new Date(now.getTime() + 24 * 3_600_000);
    expect(await notifyOfTrouble(context, now)).toBe(1);
  });
});
