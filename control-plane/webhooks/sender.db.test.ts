import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createWebhook,
  deleteWebhook,
  resendDelivery,
  rotateWebhookSecret,
  testWebhook,
} from '#db/hosting/webhook-owners.ts';
import { webhookConsumer } from '#db/messages/webhooks/consumer.ts';
import { deliveriesOf, webhooksOf } from '#db/messages/webhooks/read.ts';
import { retryPauses, type WebhookEvent } from '#db/messages/webhooks/rules.ts';
import { webhookPurpose } from '#db/messages/webhooks/write.ts';
import type { EventConsumer } from '#db/platform/events/consumer.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { publicRequester } from '#db/platform/runtime/public-request.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { createWebhookSender } from './sender.ts';

const database = testDatabase();
let sql: Pool;
let consumer: EventConsumer;
const sealer = createSealer(randomBytes(32));
const settings = parseSettings({ SITE_URL: 'https://mods.example.org', SMTP_URL: 'smtp://127.0.0.1:1' });
const log = pino({ level: 'silent' });
let now = new Date();
const context = {
  get sql() {
    return database.sql;
  },
  ...{ sealer, settings, log, now: () => now },
};
beforeAll(() => {
  sql = database.sql;
  consumer = webhookConsumer(context);
});
const loopback = publicRequester({ allow: (address) => address === '127.0.0.1', answer_ms: 15_000 });
const sender = (timeout_ms?: number) =>
  createWebhookSender(context, { request: loopback, ...(timeout_ms && { timeout_ms }) });

const ends: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function listen(handler: RequestListener): Promise<string> {
  const server: Server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A webhook of a new project whose calls go to `address`, which nobody could enter. */
async function webhookTo(
  address: string,
  events: WebhookEvent[] = ['version.published'],
  format: 'standard' | 'discord' = 'standard',
) {
  const owner = await build.user(sql);
  const actor = build.actorFor(owner);
  const project = await build.project(sql, { owner });
  const input = { name: 'Hook', address: 'https://hooks.example.org/x', format, events };
  const owning = { project_id: project.id, organization_id: null };
  const made = await sql.begin((tx) => createWebhook(tx, sealer, { actor, owner: owning, now }, input));
  await sql`update webhooks set address = ${sealer.seal(address, webhookPurpose(made.id, 'address'))} where id = ${made.id}`;
  return { ...made, actor, project, owning };
}

const publish = (project: { id: string }, status = 'listed') =>
  recordEvent(sql, {
    name: 'version.published',
    project_id: project.id,
    version_id: 'AABBCCDD',
    data: { status, version_number: '1.2.0', version_type: 'release' },
  });

/** The receiver of the handbook, as a process of its own. */
async function handbookReceiver(secret: string, port: number) {
  const page = readFileSync('content/docs/creators/webhooks.md', 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  mkdirSync('.tmp', { recursive: true });
  const file = resolve(`.tmp/receiver-${port}.mjs`);
  writeFileSync(file, code);
  const child: ChildProcess = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => child.kill());
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return lines;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

describe('an event', () => {
  it('arrives once, signed, at the receiver of the handbook; also with the secret before a rotation', async () => {
    now = new Date();
    await consumer.step();
    const port = await freePort();
    const { id, secret, project, actor } = await webhookTo(`http://127.0.0.1:${port}/`);
    const lines = await handbookReceiver(secret, port);
    await publish(project);
    await publish(project, 'draft');
    await recordEvent(sql, { name: 'project.edited', project_id: project.id, data: { fields: ['title'] } });
    await consumer.step();
    now = new Date();
    expect(await sender().step()).toEqual({ taken: 1, is_server_away: false });
    expect((await lines.next()).value).toMatch(
      /^version\.published \{"project":\{"id":"\w+",.*"version_number":"1\.2\.0"/,
    );
    expect(await deliveriesOf(sql, id)).toMatchObject([
      { state: 'sent', status: 204, attempts: 1, problem: null },
    ]);
    expect((await sender().step()).taken).toBe(0);

    const next = await sql.begin((tx) => rotateWebhookSecret(tx, sealer, { actor, id, now }));
    expect(next).not.toBe(secret);
    await sql.begin((tx) => testWebhook(tx, { actor, id, now }));
    await sender().step();
    expect((await lines.next()).value).toMatch(/^test /);

    now = new Date(now.getTime() + 25 * 3_600_000);
    await sql.begin((tx) => testWebhook(tx, { actor, id, now }));
    await sender().step();
    expect((await deliveriesOf(sql, id))[0]).toMatchObject({ state: 'failed', status: 401 });
  });

  it('that is handled again is not queued again', async () => {
    now = new Date();
    await consumer.step();
    const before = await sql`select * from event_cursors where reader = 'webhooks'`;
    const { id, project } = await webhookTo('http://127.0.0.1:1/');
    await publish(project);
    await consumer.step();
    await sql`update event_cursors set xact = ${before[0]!.xact}, id = ${before[0]!.id} where reader = 'webhooks'`;
    await consumer.step();
    expect(await deliveriesOf(sql, id)).toHaveLength(1);
    await sql`delete from webhooks where id = ${id}`;
  });

  it('of an organization’s project reaches the organization’s webhook', async () => {
    await consumer.step();
    const organization = await build.organization(sql);
    const project = await build.project(sql, { organization });
    const actor = build.actorFor(organization.owner);
    const owner = { project_id: null, organization_id: organization.id };
    const input = {
      name: 'All',
      address: 'https://hooks.example.org/',
      format: 'standard' as const,
      events: ['version.published' as const],
    };
    const { id } = await sql.begin((tx) => createWebhook(tx, sealer, { actor, owner, now }, input));
    await publish(project);
    await consumer.step();
    expect(await deliveriesOf(sql, id)).toMatchObject([{ type: 'version.published', state: 'waiting' }]);
    await sql`delete from webhooks where id = ${id}`;
  });
});

/** One attempt of a call to `address`. */
async function tried(address: string, timeout_ms?: number) {
  now = new Date();
  const { id, actor } = await webhookTo(address);
  await sql.begin((tx) => testWebhook(tx, { actor, id, now }));
  await sender(timeout_ms).step();
  const [call] = await deliveriesOf(sql, id);
  return call;
}

it('receivers of one person that never answer hold up nobody else', async () => {
  now = new Date();
  const hanging = await listen(() => {});
  const answers = await listen((_request, response) => response.writeHead(204).end());
  const slow = await webhookTo(hanging);
  for (let i = 0; i < 9; i++)
    await sql.begin((tx) => testWebhook(tx, { actor: slow.actor, id: slow.id, now }));
  const other = await webhookTo(answers);
  now = new Date(now.getTime() + 1_000);
  await sql.begin((tx) => testWebhook(tx, { actor: other.actor, id: other.id, now }));
  const one = sender(5_000);
  expect((await one.step()).taken).toBe(5);
  expect((await deliveriesOf(sql, other.id))[0]).toMatchObject({ state: 'sent' });
  // four are on their way still, and no more are taken
  expect((await one.step()).taken).toBe(0);
});

describe('a receiver that', () => {
  it('answers too slowly is given up', async () => {
    const address = await listen(() => {});
    expect(await tried(address, 300)).toMatchObject({ state: 'failed', problem: 'too_slow', status: null });
  });

  it('redirects to a private address is not followed', async () => {
    let followed = 0;
    const inside = await listen(() => followed++);
    const address = await listen((_request, response) => response.writeHead(302, { location: inside }).end());
    expect(await tried(address)).toMatchObject({ state: 'failed', problem: 'redirect', status: 302 });
    expect(followed).toBe(0);
  });

  it('never ends its answer is cut off, and its status counts', async () => {
    const address = await listen((_request, response) => {
      response.writeHead(200);
      const more = () => response.writable && response.write('x'.repeat(16_384), more);
      more();
    });
    const call = await tried(address);
    expect(call).toMatchObject({ state: 'sent', status: 200 });
    expect(call!.answer).toBe('x'.repeat(2048));
  });

  it('is at a private address gets nothing', async () => {
    let called = 0;
    const address = await listen((_request, response) => {
      called++;
      response.end();
    });
    now = new Date();
    const { id, actor } = await webhookTo(address);
    await sql.begin((tx) => testWebhook(tx, { actor, id, now }));
    await createWebhookSender(context).step();
    expect((await deliveriesOf(sql, id))[0]).toMatchObject({ state: 'failed', problem: 'not_public' });
    expect(called).toBe(0);
  });

  it('fails is tried again with growing pauses, then the webhook is off and its maker is told', async () => {
    now = new Date();
    await consumer.step();
    const address = await listen((_request, response) => response.writeHead(500).end('<b>no</b>'));
    const { id, project, owning, actor } = await webhookTo(address);
    await publish(project);
    await consumer.step();
    now = new Date();
    for (const pause of retryPauses) {
      expect((await sender().step()).taken).toBe(1);
      expect((await deliveriesOf(sql, id))[0]).toMatchObject({
        state: 'waiting',
        problem: 'status',
        answer: '<b>no</b>',
      });
      now = new Date(now.getTime() + pause - 1);
      expect((await sender().step()).taken).toBe(0);
      now = new Date(now.getTime() + 1);
    }
    await sender().step();
    expect((await deliveriesOf(sql, id))[0]).toMatchObject({
      state: 'failed',
      attempts: retryPauses.length + 1,
    });
    expect(await webhooksOf(sql, owning)).toMatchObject([{ enabled: false, gave_up: true }]);
    const told = () => sql`select type, body, mail from notifications where user_id = ${actor.user_id}`;
    const about = { webhook_id: id, name: 'Hook', project_id: project.id, organization_id: null };
    expect(await told()).toEqual([{ type: 'webhook_off', body: about, mail: 'now' }]);
    const [call] = await deliveriesOf(sql, id);
    await sql.begin((tx) => resendDelivery(tx, { actor, id, delivery: call!.id, now }));
    expect((await deliveriesOf(sql, id))[0]).toMatchObject({ state: 'waiting', attempts: 0 });
    for (const _ of [...retryPauses, 0]) {
      await sender().step();
      now = new Date(now.getTime() + 24 * 3_600_000);
    }
    expect((await deliveriesOf(sql, id))[0]).toMatchObject({ state: 'failed' });
    expect(await told()).toHaveLength(1); // it was off already
    await sql.begin((tx) => deleteWebhook(tx, actor, id));
    expect(await told()).toHaveLength(0);
  });
});

it('Discord gets a message in its form, unsigned and mentioning nobody', async () => {
  now = new Date();
  await consumer.step();
  let got: { body: string; signature: unknown } | null = null;
  const address = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    got = { body, signature: request.headers['webhook-signature'] };
    response.writeHead(204).end();
  });
  const { project } = await webhookTo(address, ['version.published'], 'discord');
  await publish(project);
  await consumer.step();
  now = new Date();
  await sender().step();
  const { body, signature } = got!;
  expect(signature).toBeUndefined();
  expect(JSON.parse(body)).toMatchObject({
    embeds: [
      {
        title: expect.stringContaining('Project'),
        description: 'Version 1.2.0 published',
        url: expect.stringContaining('/version/AABBCCDD'),
      },
    ],
    allowed_mentions: { parse: [] },
  });
});
