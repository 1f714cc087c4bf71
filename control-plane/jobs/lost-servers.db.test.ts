import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverAlertConsumer } from '#db/hosting/server-alerts/consumer.ts';
import { defaultRules } from '#db/hosting/server-alerts/rules.ts';
import { changeAlerts } from '#db/hosting/server-alerts/write.ts';
import { openMove } from '#db/hosting/servers/moves/read.ts';
import { giveUpNode } from '#db/hosting/servers/moves/request.ts';
import { moves } from '#db/hosting/servers/moves/steps.ts';
import { endTask } from '#db/hosting/servers/tasks/steps.ts';
import { tellOfLoss } from '#db/money/billing/mails/server-loss.ts';
import { runConsumers } from '#db/platform/events/consumer.ts';
import { countUnreadEvents } from '#db/platform/events/read.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import * as build from '#db/testing/builders/build.ts';
import { node, server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { createMailSender } from '../mail/sender.ts';
import { sendDue } from '../notification-mails/send-due.ts';
import { Mailbox } from '../testing/mailbox.ts';
import { platformBackup } from '../testing/stored-backups.ts';
import { loopback, receiver, webhookTo } from '../testing/webhook-receiver.ts';
import { createWebhookSender } from '../webhooks/sender.ts';

/** What renters hear when a node is given up: by a real mail server and a real receiver of webhooks, with two planes. */
const database = testDatabase();
const sealer = createSealer(randomBytes(32));
const now = new Date();
let mailbox: Mailbox;
let smtp_url: string;
const ends: Array<() => unknown> = [];
const context = () => ({
  ...{ sql: database.sql, sealer, log: pino({ level: 'silent' }), now: () => now },
  settings: parseSettings({ SMTP_URL: smtp_url, SITE_URL: 'https://mods.example.org' }),
});
beforeEach(async () => {
  mailbox = new Mailbox();
  smtp_url = `smtp://127.0.0.1:${await mailbox.open()}`;
  ends.push(() => mailbox.close());
  await database.sql`update nodes set draining = true`;
  await serverAlertConsumer(context(), tellOfLoss).step();
  for (const plane of [context(), context()])
    ends.push(
      await runConsumers(database.sql, [serverAlertConsumer(plane, tellOfLoss)], {
        log: plane.log,
        poll_ms: 50,
      }),
    );
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Two planes, each with all that they do at once, several times. */
async function work(): Promise<void> {
  const mails = () => createMailSender(context(), smtp_url, { silence_ms: 5_000, step_ms: 5_000 }).step();
  const calls = () => createWebhookSender(context(), { request: loopback }).step();
  for (let turn = 0; turn < 2; turn++) {
    await vi.waitFor(async () => expect(await countUnreadEvents(database.sql)).toBe(0), 10_000);
    await Promise.all([sendDue(context(), now), sendDue(context(), now)]);
    await Promise.all([mails(), mails()]);
    await Promise.all([calls(), calls()]);
  }
}

/** A server on a node that is away, with every alert off and quiet hours around the clock, and a webhook. */
async function rented() {
  const owner = await build.user(database.sql);
  const actor = build.actorFor(owner);
  const placed = await node(database.sql, now);
  const server_id = await server(database.sql, owner, { name: 'Valley' });
  await database.sql`
    update servers set lifecycle = 'ready', node_id = ${placed.id}, port = 25600, seen = '{"installed": 1}' where id = ${server_id}`;
  await database.sql`update nodes set status = 'offline' where id = ${placed.id}`;
  const rules = Object.fromEntries(
    Object.entries(defaultRules).map(([kind, rule]) => [kind, { ...rule, enabled: false }]),
  ) as typeof defaultRules;
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
  const quiet = { from: (minute + 1_430) % 1_440, until: (minute + 60) % 1_440, zone: 'UTC' };
  await database.sql.begin((tx) => changeAlerts(tx, actor, { server_id, rules, quiet }, now));
  let secret = '';
  const { calls, address } = await receiver(() => secret, ends);
  ({ secret } = await webhookTo({ sql: database.sql, sealer, now }, { actor, server_id }, address));
  return { owner, server_id, node_id: placed.id, calls };
}
const lose = (node_id: string) => database.sql.begin((tx) => giveUpNode(tx, node_id, null, now));
/** The restore on the other node ends. */
const restored = (server_id: string, step: 'done' | 'failed' = 'done') =>
  database.sql.begin(async (tx) => {
    const task = (await openMove(tx, server_id))!;
    const work = { db: tx, task, server: null, settings: database.settings, now };
    await endTask(moves, work, { step, error: null });
  });
const told = (user: { id: string }) => database.sql`
  select type, body, on_site from notifications where user_id = ${user.id} and type = 'server_lost'`;

describe('a renter of a server whose node is given up', () => {
  it('hears once, everywhere, of which time the restored state is and where the server is now', async () => {
    const rent = await rented();
    const helper = await build.user(database.sql);
    await database.sql`
      insert into server_members (server_id, user_id, role, rights, accepted)
      values (${rent.server_id}, ${helper.id}, 'editor', ${['options']}, ${now})`;
    const backup_id = await platformBackup(database.sql, rent.server_id, { state: 'done' });
    await database.sql`update server_backups set created = '2026-02-03T04:05:06Z' where id = ${backup_id}`;
    const other = await node(database.sql, now);
    await lose(rent.node_id);
    await work();
    expect([mailbox.mails, rent.calls]).toEqual([[], []]); // it is being restored
    await restored(rent.server_id);
    await work();
    const [placed] = await database.sql<{ node_id: string; port: number }[]>`
      select node_id, port from servers where id = ${rent.server_id}`;
    expect(placed!.node_id).toBe(other.id);
    const address = `play.example.test:${placed!.port}`;
    const said = { state_of: expect.stringContaining('2026-02-03T04:05:06'), address };
    expect(rent.calls).toMatchObject([
      { type: 'server.rescued', data: { server: { id: rent.server_id, name: 'Valley' }, ...said } },
    ]);
    for (const user of [rent.owner, helper])
      expect(await told(user)).toMatchObject([{ on_site: true, body: { outcome: 'rescued', ...said } }]);
    expect(mailbox.mails.map(({ subject }) => subject)).toEqual(
      Array(2).fill('Valley was restored on another machine'),
    );
    for (const part of ['February 3, 2026 at 4:05 AM UTC', address, `/servers/manage/${rent.server_id}`])
      expect(mailbox.mails[0]!.text).toContain(part);
  });

  it('hears that it is lost when there was no backup elsewhere', async () => {
    const rent = await rented();
    await platformBackup(database.sql, rent.server_id, { state: 'done', target: 'node' });
    await lose(rent.node_id);
    await work();
    expect(rent.calls).toMatchObject([{ type: 'server.lost', data: { state_of: null, address: null } }]);
    expect(await told(rent.owner)).toMatchObject([{ on_site: true, body: { outcome: 'lost' } }]);
    expect(mailbox.mails.map(({ subject }) => subject)).toEqual(['Valley was lost with its machine']);
    expect(mailbox.mails[0]!.text).toContain('no backup elsewhere');
  });

  it('hears of the backup that is kept when the server is suspended, or could not be restored', async () => {
    const suspended = await rented();
    await database.sql`
      update servers set lifecycle = 'suspended', lifecycle_data = '{"reason": "cancelled"}' where id = ${suspended.server_id}`;
    const failed = await rented();
    for (const { server_id } of [suspended, failed])
      await platformBackup(database.sql, server_id, { state: 'done' });
    await node(database.sql, now);
    for (const { node_id } of [suspended, failed]) await lose(node_id);
    await restored(failed.server_id, 'failed');
    await work();
    for (const { owner, calls } of [suspended, failed]) {
      expect(await told(owner)).toMatchObject([
        { body: { outcome: 'lost', state_of: expect.any(String), address: null } },
      ]);
      expect(calls).toMatchObject([{ type: 'server.lost', data: { state_of: expect.any(String) } }]);
    }
    expect(mailbox.mails).toHaveLength(2);
    for (const { text } of mailbox.mails) expect(text).toContain('is stored elsewhere');
  });

  it('hears nothing yet when the other node is lost as well: it is restored anew', async () => {
    const rent = await rented();
    await platformBackup(database.sql, rent.server_id, { state: 'done' });
    const other = await node(database.sql, now);
    await lose(rent.node_id);
    await node(database.sql, now);
    await database.sql`update nodes set status = 'offline' where id = ${other.id}`;
    await lose(other.id);
    await work();
    expect([mailbox.mails, rent.calls]).toEqual([[], []]);
    await restored(rent.server_id);
    await work();
    expect(rent.calls.map(({ type }) => type)).toEqual(['server.rescued']);
  });
});
