import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkAlerts } from '#db/hosting/server-alerts/check.ts';
import { serverAlertConsumer } from '#db/hosting/server-alerts/consumer.ts';
import { alertsOf } from '#db/hosting/server-alerts/read.ts';
import { type AlertRules, defaultRules, type QuietHours } from '#db/hosting/server-alerts/rules.ts';
import { changeAlerts, testAlerts } from '#db/hosting/server-alerts/write.ts';
import { storeMinutes } from '#db/hosting/servers/figures/write.ts';
import { deliveriesOf } from '#db/messages/webhooks/read.ts';
import { tellOfLoss } from '#db/money/billing/mails/server-loss.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import * as build from '#db/testing/builders/build.ts';
import { node, server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { createMailSender } from '../mail/sender.ts';
import { sendDue } from '../notification-mails/send-due.ts';
import { Mailbox } from '../testing/mailbox.ts';
import { listen, loopback, webhookTo as openWebhook, receiver } from '../testing/webhook-receiver.ts';
import { createWebhookSender } from '../webhooks/sender.ts';

/** Alerts from what servers used to a real mail server and a real receiver of webhooks. */
const database = testDatabase();
const sealer = createSealer(randomBytes(32));
const log = pino({ level: 'silent' });
const minute = 60_000;
let now: Date;
let mailbox: Mailbox;
let smtp_url: string;
const ends: Array<() => unknown> = [];
beforeEach(async () => {
  // notifications have the time of the database
  now = new Date(Math.ceil(Date.now() / minute) * minute + 20_000);
  mailbox = new Mailbox();
  smtp_url = `smtp://127.0.0.1:${await mailbox.open()}`;
  ends.push(() => mailbox.close());
  await database.sql`update notifications set mail = null`;
  await database.sql`truncate server_minutes`;
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
const context = () => ({
  ...{ sql: database.sql, sealer, log, now: () => now },
  settings: parseSettings({ SMTP_URL: smtp_url, SITE_URL: 'https://mods.example.org' }),
});
/** Time passes, and every node is seen. */
const pass = async (minutes: number) => {
  now = new Date(now.getTime() + minutes * minute);
  await database.sql`update nodes set last_seen = ${now}`;
};
/** What the jobs and senders of one minute do. */
async function work(): Promise<void> {
  await checkAlerts(database.sql, now);
  await sendDue(context(), now);
  await createMailSender(context(), smtp_url, { silence_ms: 5_000, step_ms: 5_000 }).step();
}
const subjects = () => mailbox.mails.map(({ subject }) => subject);

async function rented() {
  const { sql } = database;
  const owner = await build.user(sql);
  const placed = await node(sql, now);
  const server_id = await server(sql, owner, { name: 'Valley' });
  await sql`update servers set lifecycle = 'ready', node_id = ${placed.id}, port = 25600, power = 'running', power_wanted = 'on'
    where id = ${server_id}`;
  return { owner, actor: build.actorFor(owner), server_id, node_id: placed.id };
}
type Rented = Awaited<ReturnType<typeof rented>>;

/** The server used so much in each of the last `minutes`, in per cent of what it may use. */
async function used({ server_id }: Rented, minutes: number, share: Partial<Record<'cpu' | 'disk', number>>) {
  const [size] = await database.sql<{ cpu_millis: number; disk_mb: number }[]>`
    select cpu_millis, disk_mb from servers where id = ${server_id}`;
  const last = Math.floor(now.getTime() / minute) * minute;
  await storeMinutes(
    database.sql,
    Array.from({ length: minutes }, (_, i) => ({
      ...{ server_id, at: last - (i + 1) * minute, samples: 6, players: 0, tick_ms: null },
      cpu: ((share.cpu ?? 1) * size!.cpu_millis) / 1000,
      ...{ cpu_most: 0, ram_mb: 10, received: 0, sent: 0 },
      disk_mb: ((share.disk ?? 1) * size!.disk_mb) / 100,
    })),
  );
}
const open = async ({ actor, server_id }: Rented) =>
  (await alertsOf(database.sql, actor, server_id, now)).history
    .filter(({ ended }) => ended === null)
    .map(({ kind }) => kind);
const change = ({ actor, server_id }: Rented, rules: Partial<AlertRules>, quiet: QuietHours | null = null) =>
  database.sql.begin((tx) =>
    changeAlerts(tx, actor, { server_id, rules: { ...defaultRules, ...rules }, quiet }, now),
  );

const webhookTo = (rent: Rented, address: string) =>
  openWebhook({ sql: database.sql, sealer, now }, rent, address);
const callWebhooks = (timeout_ms?: number) =>
  createWebhookSender(context(), { request: loopback, ...(timeout_ms && { timeout_ms }) }).step();

describe('a server over a bound', () => {
  it('is told once, by mail, on the site and by a signed call, and once more when it is over', async () => {
    const rent = await rented();
    let secret = '';
    const { calls, address } = await receiver(() => secret, ends);
    ({ secret } = await webhookTo(rent, address));
    await used(rent, 14, { cpu: 99 });
    await Promise.all([1, 2, 3].map(() => checkAlerts(database.sql, now)));
    expect(await open(rent)).toEqual(['cpu']); // one minute in five may be missing
    await work();
    await work();
    await callWebhooks();
    expect(subjects()).toEqual(['Valley: CPU over 95%']);
    expect(mailbox.mails[0]!.text).toContain(`/servers/manage/${rent.server_id}/options/alerts`);
    expect(calls).toMatchObject([
      { type: 'server.alert_began', data: { server: { name: 'Valley' }, alert: { kind: 'cpu', bound: 95 } } },
    ]);
    const [row] =
      await database.sql`select on_site, body from notifications where user_id = ${rent.owner.id}`;
    expect(row).toMatchObject({ on_site: true, body: { kind: 'cpu', state: 'began' } });

    await pass(15);
    await used(rent, 15, { cpu: 93 }); // below the bound, not below where it ends
    await work();
    expect(await open(rent)).toEqual(['cpu']);
    await pass(15);
    await used(rent, 15, { cpu: 60 });
    await work();
    await work();
    await callWebhooks();
    expect(await open(rent)).toEqual([]);
    expect(subjects().slice(1)).toEqual(['Valley: CPU is back to normal']);
    expect(calls.map(({ type }) => type)).toEqual(['server.alert_began', 'server.alert_ended']);
  });

  it('for too short, with too many gaps, or with the rule off is not told', async () => {
    const short = await rented();
    await used(short, 10, { cpu: 100 });
    const off = await rented();
    await change(off, { cpu: { enabled: false, over: 95, minutes: 15 } });
    await used(off, 15, { cpu: 100 });
    const own = await rented();
    await change(own, { cpu: { enabled: true, over: 50, minutes: 2 } });
    await used(own, 2, { cpu: 55 });
    await work();
    expect([await open(short), await open(off), await open(own)]).toEqual([[], [], ['cpu']]);
  });

  it('that stops is well, except for its disk; turning the rule off says nothing', async () => {
    const rent = await rented();
    await used(rent, 15, { cpu: 100, disk: 95 });
    await work();
    expect((await open(rent)).sort()).toEqual(['cpu', 'disk']);
    await pass(20);
    await database.sql`update servers set power = 'stopped', power_wanted = 'off' where id = ${rent.server_id}`;
    await work();
    expect(await open(rent)).toEqual(['disk']);
    const before = mailbox.mails.length;
    await change(rent, { disk: { enabled: false, over: 90, minutes: 5 } });
    await work();
    expect(await open(rent)).toEqual([]);
    expect(mailbox.mails).toHaveLength(before);
  });

  it('again and again is told six times a day; the rest is in its history', async () => {
    const rent = await rented();
    await change(rent, { cpu: { enabled: true, over: 50, minutes: 1 } });
    for (let i = 0; i < 8; i++) {
      await used(rent, 1, { cpu: 100 });
      await checkAlerts(database.sql, now);
      await pass(1);
      await used(rent, 1, { cpu: 1 });
      await checkAlerts(database.sql, now);
      await pass(1);
    }
    const { history } = await alertsOf(database.sql, rent.actor, rent.server_id, now);
    expect(history.map(({ told }) => told).reverse()).toEqual([...Array(6).fill(true), false, false]);
    const [{ count }] = await database.sql<[{ count: number }]>`
      select count(*)::int as count from notifications where user_id = ${rent.owner.id}`;
    expect(count).toBe(12);
  });
});

it('quiet hours: the site hears at once, mails wait for the end and come as one', async () => {
  const rent = await rented();
  const at = now.getUTCHours() * 60 + now.getUTCMinutes();
  const quiet = { from: (at + 1_430) % 1_440, until: (at + 40) % 1_440, zone: 'UTC' };
  await change(rent, { cpu: { enabled: true, over: 50, minutes: 1 } }, quiet);
  await used(rent, 5, { cpu: 100, disk: 99 });
  await work();
  await pass(10);
  await used(rent, 1, { cpu: 1 });
  await work();
  const kinds = await database.sql`select from notifications where user_id = ${rent.owner.id} and on_site`;
  expect(kinds).toHaveLength(3);
  expect(mailbox.mails).toEqual([]);
  await pass(31);
  await work();
  expect(subjects()).toEqual(['Valley: 3 alerts']);
  const text = mailbox.mails[0]!.text;
  for (const said of ['CPU over 50%', 'disk over 90% full', 'CPU is back to normal'])
    expect(text).toContain(said);
});

it('a node that is away, a crash loop and a failed backup begin and end', async () => {
  const { sql } = database;
  const rent = await rented();
  const consumer = serverAlertConsumer(context(), tellOfLoss);
  await consumer.step();
  const failed = { backup_id: '1', reason: 'user', error: 'disk_full' };
  await recordEvent(sql, { name: 'server.backup_failed', server_id: rent.server_id, data: failed });
  await recordEvent(sql, {
    name: 'server.backup_missed',
    server_id: rent.server_id,
    data: { error: 'backup_no_room' },
  });
  await consumer.step();
  await sql`update servers set power = 'crashed', seen = '{"crash": {"held": true}}' where id = ${rent.server_id}`;
  now = new Date(now.getTime() + 4 * minute); // its node was seen before that
  await work();
  expect((await open(rent)).sort()).toEqual(['backup_failed', 'crash_loop', 'node_down']);
  await sql`update nodes set last_seen = ${now}, status = 'online' where id = ${rent.node_id}`;
  await sql`update servers set power = 'running', seen = '{}' where id = ${rent.server_id}`;
  const made = { backup_id: '2' };
  await recordEvent(sql, { name: 'server.backup_created', server_id: rent.server_id, data: made });
  await consumer.step();
  await work();
  expect(await open(rent)).toEqual([]);
});

it('a webhook that hangs holds up nobody: it is tried again later, everything else arrives', async () => {
  const rent = await rented();
  const { id } = await webhookTo(rent, await listen(() => {}, ends));
  await used(rent, 15, { cpu: 100 });
  await work();
  expect(subjects()).toHaveLength(1);
  await callWebhooks(300);
  expect(await deliveriesOf(database.sql, id)).toMatchObject([
    { state: 'waiting', problem: 'too_slow', attempts: 1 },
  ]);
});

it('a test goes to every channel; private addresses get nothing', async () => {
  const rent = await rented();
  let called = 0;
  const { id } = await webhookTo(
    rent,
    await listen((_request, response) => {
      called += 1;
      response.end();
    }, ends),
  );
  await database.sql.begin((tx) => testAlerts(tx, rent.actor, rent.server_id, now));
  await work();
  await createWebhookSender(context()).step();
  expect(subjects()).toEqual(['Valley: this is a test alert']);
  expect(called).toBe(0);
  expect((await deliveriesOf(database.sql, id))[0]).toMatchObject({ state: 'failed', problem: 'not_public' });
  expect(await open(rent)).toEqual([]);
});
