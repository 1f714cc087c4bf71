import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { saveNotificationChoices } from '#db/catalogue/follows/update-filters.ts';
import { lockProject } from '#db/catalogue/projects/locked.ts';
import { storeReports } from '#db/hosting/servers/observe.ts';
import { createServer, setPower } from '#db/hosting/servers/write.ts';
import { mailPurpose } from '#db/messages/mail/queue.ts';
import type { NotificationChoices } from '#db/messages/notifications/choices.ts';
import { type NotificationType, siteTypes } from '#db/messages/notifications/rules.ts';
import { restoreProject, takeDown } from '#db/moderation/takedowns/write.ts';
import { cancel, checkout, collectCharge } from '#db/money/billing/checkout.ts';
import { deleteServerFor } from '#db/money/billing/delete-server.ts';
import { mailReminders } from '#db/money/billing/mails/reminders.ts';
import { paidOrder } from '#db/money/billing/read.ts';
import { dueSubscriptions, processDue } from '#db/money/billing/renewals.ts';
import { addDays } from '#db/money/billing/rules.ts';
import { refundByStaff } from '#db/money/billing/staff-refunds/write.ts';
import type { OrderInput } from '#db/money/billing/write.ts';
import { requestPayout } from '#db/money/payouts/request.ts';
import { settlePayout } from '#db/money/payouts/settle.ts';
import type { EventConsumer } from '#db/platform/events/consumer.ts';
import { countUnreadEvents } from '#db/platform/events/read.ts';
import { newId } from '#db/platform/id.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import { nodeWithRoom, orderInput, testBilling, testCard } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { node } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '#db/testing/payouts.ts';
import { eventMailConsumer } from './event-mails.ts';

/** Every movement of money and every end has a mail and a notification, with its dates and amounts, once. */
const database = testDatabase();
const till = testBilling(database);
const sealer = createSealer(randomBytes(32));
const mailing = { settings: parseSettings({}), sealer };
const start = new Date('2026-03-01T12:00:00Z');
const month_later = new Date('2026-04-01T12:00:00Z');
let now = start;
let ports = 30_000;
let consumer: EventConsumer;
Object.assign(till, { mailing });

beforeAll(async () => {
  await nodeWithRoom(database.sql, { rooms: 1_000, seen: start });
  consumer = eventMailConsumer({ ...mailing, sql: database.sql, now: () => now });
  await consumer.step();
});

/** A person who wants no notification of anything, neither here nor by mail. */
async function person(): Promise<Actor> {
  const { sql } = database;
  const made = await build.user(sql);
  await sql`update users set email = ${`${made.id}@example.test`}, email_verified = true where id = ${made.id}`;
  const actor = build.actorFor(made);
  const off = Object.fromEntries(siteTypes.map((type) => [type, { site: false, mail: 'off' }]));
  await saveNotificationChoices(sql, actor, {
    ...{ types: off as unknown as NotificationChoices['types'], loaders: [], game_versions: [] },
  });
  return actor;
}

/** Handles every event, as often as there are any, and the reminders, twice: as a job that is repeated does. */
async function handled(at: Date): Promise<void> {
  now = at;
  await vi.waitFor(async () => {
    await consumer.step();
    expect(await countUnreadEvents(database.sql)).toBe(0);
  }, 10_000);
  for (let turn = 0; turn < 2; turn++) await mailReminders(database.sql, mailing, at);
}

interface Told {
  mails: Array<{ template: string; data: Record<string, unknown> }>;
  notes: Array<{
    type: NotificationType;
    body: Record<string, unknown>;
    on_site: boolean;
    mail: string | null;
  }>;
}
async function toldTo({ user_id }: Actor): Promise<Told> {
  const rows = await database.sql<Array<{ id: string; template: string; data: string }>>`
    select id, template, data from mails where user_id = ${user_id} order by created, id`;
  const notes = await database.sql<Told['notes']>`
    select type, body, on_site, mail from notifications where user_id = ${user_id} order by created, id`;
  const mails = rows.map(({ id, template, data }) => ({
    template,
    // whole seconds, however they were written
    data: JSON.parse(sealer.open(data, mailPurpose(id))!.replaceAll('.000Z', 'Z')) as Record<string, unknown>,
  }));
  return { mails, notes: JSON.parse(JSON.stringify(notes).replaceAll('.000Z', 'Z')) as Told['notes'] };
}

/** Orders, pays, and makes the server. */
async function rented(
  payer: Actor,
  input: Partial<OrderInput> = {},
  card = '4242424242424242',
): Promise<string> {
  const { server_id, order_id } = await checkout(till, payer, orderInput(input), testCard(card), start);
  const order = await paidOrder(database.sql, order_id);
  await database.sql.begin((tx) => createServer(tx, order!));
  await database.sql`
    update servers set node_id = (select id from nodes limit 1), port = ${ports++}, lifecycle = 'ready' where id = ${server_id}`;
  return server_id;
}

/** What is due for the subscriptions of a payer, as the job does it. */
async function due({ user_id }: Actor, at: Date): Promise<void> {
  const own = await database.sql<
    Array<{ id: string }>
  >`select id from subscriptions where user_id = ${user_id}`;
  const ids = await dueSubscriptions(database.sql, at, 1_000);
  for (const { id } of own.filter((one) => ids.includes(one.id))) {
    const { charge_id } = await database.sql.begin((tx) => processDue(tx, id, 'test', at));
    if (charge_id) await collectCharge(till, charge_id, at);
  }
}
const at = (date: Date) => date.toISOString().replace('.000Z', 'Z');
const chargeOf = async ({ user_id }: Actor) =>
  (
    await database.sql<
      Array<{ id: string }>
    >`select id from charges where user_id = ${user_id} order by created`
  )[0]!.id;
const admin = async () => build.actorFor(await build.user(database.sql), { role: 'admin' });
const declined_later = '4000000000000341';

interface Movement {
  /** Makes it happen. Gives when. */
  happens(person: Actor): Promise<Date>;
  template: string;
  /** What the mail says, beside other things. */
  says: Record<string, unknown>;
  type?: NotificationType;
  note: Record<string, unknown>;
}

const movements: Record<string, Movement> = {
  'a payment': {
    async happens(payer) {
      await rented(payer);
      return start;
    },
    template: 'receipt',
    says: {
      ...{ amount: 1200, currency: 'USD', service: 'Valley', card: { brand: 'Visa', last_four: '4242' } },
      ...{ paid_until: at(month_later), invoice: { number: expect.stringMatching(/^TEST-/) } },
    },
    note: { kind: 'receipt', amount_minor: 1200, currency: 'USD', service: 'Valley' },
  },
  'a renewal': {
    async happens(payer) {
      await rented(payer);
      await due(payer, month_later);
      return month_later;
    },
    template: 'receipt',
    says: { amount: 1200, paid_until: '2026-05-01T12:00:00Z' },
    note: { kind: 'receipt', amount_minor: 1200, at: '2026-05-01T12:00:00Z' },
  },
  'a failed renewal': {
    async happens(payer) {
      await rented(payer, {}, declined_later);
      await due(payer, month_later);
      return month_later;
    },
    template: 'payment_failed',
    says: {
      ...{ amount: 1200, service: 'Valley', reason: 'declined', card: { last_four: '0341' } },
      next_attempt: at(addDays(month_later, 1)),
      // the tries after 1, 2 and 4 days, then a week
      ...{ stops: at(addDays(month_later, 7)), deleted: at(addDays(month_later, 14)) },
    },
    note: { kind: 'payment_failed', amount_minor: 1200, at: at(addDays(month_later, 7)) },
  },
  'a yearly renewal that comes': {
    async happens(payer) {
      await rented(payer, { interval: 'yearly' });
      return new Date('2027-02-16T12:00:00Z');
    },
    template: 'renewal_soon',
    says: { amount: 12_000, service: 'Valley', at: '2027-03-01T12:00:00Z' },
    note: { kind: 'renewal_soon', amount_minor: 12_000, at: '2027-03-01T12:00:00Z' },
  },
  'a cancellation': {
    async happens(payer) {
      await cancel(till, payer, await rented(payer), start);
      return start;
    },
    template: 'subscription_cancelled',
    says: { service: 'Valley', until: at(month_later), deleted: at(addDays(month_later, 7)) },
    note: { kind: 'cancelled', at: at(month_later) },
  },
  'the end of what was canceled': {
    async happens(payer) {
      await cancel(till, payer, await rented(payer), start);
      await due(payer, month_later);
      return month_later;
    },
    template: 'server_suspended',
    says: { service: 'Valley', reason: 'cancelled', deleted: at(addDays(month_later, 7)) },
    note: { kind: 'suspended', at: at(addDays(month_later, 7)) },
  },
  'a payment that was given up': {
    async happens(payer) {
      await rented(payer, {}, declined_later);
      for (const days of [0, 1, 3, 7, 7]) await due(payer, addDays(month_later, days));
      return addDays(month_later, 7);
    },
    template: 'server_suspended',
    says: { reason: 'payment_failed', deleted: at(addDays(month_later, 14)) },
    note: { kind: 'suspended', at: at(addDays(month_later, 14)) },
  },
  'the end of a trial': {
    async happens(payer) {
      const { order_id } = await checkout(till, payer, orderInput({ plan: 'trial' }), null, start);
      const order = await paidOrder(database.sql, order_id);
      await database.sql.begin((tx) => createServer(tx, order!));
      await due(payer, addDays(start, 5));
      return addDays(start, 5);
    },
    template: 'server_suspended',
    says: { reason: 'trial_ended', deleted: at(addDays(start, 12)) },
    note: { kind: 'suspended', at: at(addDays(start, 12)) },
  },
  'the last day before a deletion': {
    async happens(payer) {
      await cancel(till, payer, await rented(payer), start);
      await due(payer, month_later);
      return addDays(month_later, 6);
    },
    template: 'deletion_soon',
    says: { service: 'Valley', at: at(addDays(month_later, 7)) },
    note: { kind: 'deletion_soon', at: at(addDays(month_later, 7)) },
  },
  'a deletion': {
    async happens(payer) {
      await cancel(till, payer, await rented(payer), start);
      await due(payer, month_later);
      await due(payer, addDays(month_later, 7));
      return addDays(month_later, 7);
    },
    template: 'subscription_ended',
    says: { service: 'Valley' },
    note: { kind: 'ended' },
  },
  'a deletion by the owner': {
    async happens(payer) {
      const server_id = await rented(payer);
      await database.sql.begin((tx) => deleteServerFor(tx, payer, server_id, start));
      return start;
    },
    template: 'subscription_ended',
    says: { service: 'Valley' },
    note: { kind: 'ended' },
  },
  'a partial refund': {
    async happens(payer) {
      await rented(payer);
      const staff = await admin();
      const refund = { op_id: randomUUID(), charge_id: await chargeOf(payer), amount_minor: 500 };
      await database.sql.begin((tx) =>
        refundByStaff(
          tx,
          till,
          staff,
          { ...refund, seen_minor: 0, reason: 'lag', takes_service: false },
          start,
        ),
      );
      return start;
    },
    template: 'refund_made',
    says: { amount: 500, currency: 'USD', credit_note: { number: expect.stringMatching(/^TEST-/) } },
    note: { kind: 'refund', amount_minor: 500, currency: 'USD' },
  },
  'a new server': {
    async happens(payer) {
      const server_id = await rented(payer);
      const at_node = await node(database.sql, start);
      await database.sql`
        update servers set node_id = ${at_node.id}, port = 25600, lifecycle = 'installing' where id = ${server_id}`;
      for (const seq of [1, 2]) {
        const report = { seq, server_id, type: 'server.installed', at: at(start), data: { generation: 1 } };
        const from = { node_id: at_node.id, lease: at_node.lease, stream_id: 'one' };
        await database.sql.begin((tx) => storeReports(tx, from, [report], start));
      }
      return start;
    },
    template: 'server_ready',
    says: { service: 'Valley', address: 'play.example.test:25600' },
    note: { kind: 'server_ready', service: 'Valley' },
  },
  'a port that something else uses': {
    async happens(payer) {
      await portTaken(payer);
      return start;
    },
    template: 'server_port',
    says: { service: 'Valley', before: 'play.example.test:25600', after: 'play.example.test:25601' },
    type: 'server_port',
    note: { before: 'play.example.test:25600', after: 'play.example.test:25601' },
  },
  'a withdrawal that is asked for': {
    async happens(creator) {
      await withdrawn(creator);
      return start;
    },
    template: 'payout_requested',
    says: { amount: 1000, method: 'paypal', address: 'ada@example.org' },
    type: 'payout_requested',
    note: { amount_minor: 1000 },
  },
  ...Object.fromEntries(
    (['success', 'failed', 'cancelled'] as const).map((state): [string, Movement] => [
      `a withdrawal: ${state}`,
      {
        async happens(creator) {
          const id = await withdrawn(creator);
          for (let turn = 0; turn < 2; turn++)
            await database.sql.begin((tx) =>
              settlePayout(tx, id, { reference: 'r', state, failure: null }, start),
            );
          return start;
        },
        template: 'payout_settled',
        says: { amount: 1000, state },
        type: 'payout_settled',
        note: { state },
      },
    ]),
  ),
  'a takedown': {
    async happens(creator) {
      await takenDown(creator);
      return start;
    },
    template: 'project_taken_down',
    says: {
      ...{
        name: 'Cornerpost',
        kind: 'copyright',
        reason: 'Stonewrights drew the textures',
        reference: 'N-7',
      },
      link: expect.stringMatching(/^\/project\/\w+\/moderation$/),
    },
    type: 'takedown',
    note: { state: 'placed' },
  },
  'the end of a takedown': {
    async happens(creator) {
      const { id, staff } = await takenDown(creator);
      await database.sql.begin(async (tx) =>
        restoreProject(tx, staff, await lockProject(tx, id, staff), start),
      );
      return start;
    },
    template: 'project_shown_again',
    says: { name: 'Cornerpost' },
    type: 'takedown',
    note: { state: 'ended' },
  },
};

/** A server on a node of its own whose port is used by something else, as its agent reports twice. */
async function portTaken(payer: Actor): Promise<{ server_id: string; node_id: string }> {
  const server_id = await rented(payer);
  const { id: node_id, lease } = await node(database.sql, start);
  await database.sql`update servers set node_id = ${node_id}, port = 25600 where id = ${server_id}`;
  const report = {
    seq: 1,
    server_id,
    type: 'server.broken',
    at: at(start),
    data: { step: 'port_taken', error: '' },
  };
  for (let turn = 0; turn < 2; turn++)
    await database.sql.begin((tx) => storeReports(tx, { node_id, lease, stream_id: 'one' }, [report], start));
  return { server_id, node_id };
}

async function withdrawn(creator: Actor): Promise<string> {
  await earn(database.sql, creator.user_id, 50_000, start);
  const provider = new ScriptedPayouts();
  provider.next = 'in-transit';
  return (
    await requestPayout({ ...payoutContext(database.sql, provider), mailing }, creator, withdrawal(), start)
  ).id;
}

async function takenDown(creator: Actor) {
  const owner = { id: creator.user_id, username: creator.username } as build.BuiltUser;
  const { id } = await build.project(database.sql, { owner, title: 'Cornerpost' });
  const staff = build.actorFor(await build.user(database.sql), { role: 'moderator' });
  const notice = { kind: 'copyright', reason: 'Stonewrights drew the textures', reference: 'N-7' } as const;
  await database.sql.begin(async (tx) =>
    takeDown(tx, staff, await lockProject(tx, id, staff), { ...notice, now: start }),
  );
  return { id, staff };
}

describe('mail and notification, once and whatever somebody turned off, of', () => {
  it.each(Object.keys(movements))('%s', async (name) => {
    const { happens, template, says, type = 'billing', note } = movements[name]!;
    const who = await person();
    await handled(await happens(who));
    const { mails, notes } = await toldTo(who);
    const sent = mails.filter(({ template: one, data }) => one === template && sameAmount(data, says));
    expect(sent).toMatchObject([{ data: { username: who.username, ...says } }]);
    const shown = notes.filter((one) => one.type === type && isAbout(one.body, note));
    expect(shown).toMatchObject([{ on_site: true, mail: null, body: note }]);
  });
});

/** Whether a mail is the one that is looked for, where there are several of its kind. */
const sameAmount = (data: Record<string, unknown>, says: Record<string, unknown>): boolean =>
  says.paid_until === undefined || data.paid_until === says.paid_until;
const isAbout = (body: Record<string, unknown>, note: Record<string, unknown>): boolean =>
  (body.kind ?? body.state) === (note.kind ?? note.state) &&
  (note.at ?? body.at) === body.at &&
  (note.after ?? body.after) === body.after;

it('gives a server its former port back at a start, when that is free', async () => {
  const { sql } = database;
  const payer = await person();
  const { server_id, node_id } = await portTaken(payer);
  const act = (action: 'start' | 'stop') =>
    sql.begin((tx) => setPower(tx, payer, { server_id, op_id: randomUUID(), action }, start));
  const port = async () => (await sql`select port from servers where id = ${server_id}`)[0]!.port as number;
  await act('start');
  expect(await port()).toBe(25_601); // the node still says that it is used
  await sql`update nodes set ports_used = '{}' where id = ${node_id}`;
  await act('stop');
  expect(await port()).toBe(25_601);
  await sql`update servers set power = 'stopped', power_wanted = 'off' where id = ${server_id}`;
  await act('start');
  expect(await port()).toBe(25_600);
  await handled(start);
  const { mails } = await toldTo(payer);
  expect(
    mails
      .filter(({ template }) => template === 'server_port')
      .map(({ data }) => data.after)
      .sort(),
  ).toEqual(['play.example.test:25600', 'play.example.test:25601']);
  const [row] = await sql`select seen->'warnings' as warnings from servers where id = ${server_id}`;
  expect(row!.warnings).toMatchObject([{ code: 'port_changed', detail: '25601 → 25600' }]);
});

it('says nothing of orders that were never paid, and of what goes on', async () => {
  const payer = await person();
  await expect(
    checkout(till, payer, orderInput(), testCard('4000000000000002'), start),
  ).rejects.toMatchObject({ code: 'payment_declined' });
  await handled(start);
  expect(await toldTo(payer)).toEqual({ mails: [], notes: [] });
});

it('tells nobody of a takedown that their project was rejected or approved', async () => {
  const creator = await person();
  const { id, staff } = await takenDown(creator);
  await database.sql.begin(async (tx) => restoreProject(tx, staff, await lockProject(tx, id, staff), start));
  await handled(start);
  const { notes } = await toldTo(creator);
  expect(notes.map(({ type }) => type)).toEqual(['takedown', 'takedown']);
});

it('tells an organization of a takedown of its project', async () => {
  const owner = await person();
  const organization = await build.organization(database.sql, { owner: { id: owner.user_id } as never });
  const made = await build.project(database.sql, { title: 'Cornerpost' });
  await database.sql`update projects set organization = ${organization.id} where id = ${made.id}`;
  const staff = build.actorFor(await build.user(database.sql), { role: 'moderator' });
  await database.sql.begin(async (tx) =>
    takeDown(tx, staff, await lockProject(tx, made.id, staff), { reason: 'Order 7', now: start }),
  );
  await handled(start);
  expect((await toldTo(owner)).mails).toMatchObject([{ template: 'project_taken_down' }]);
});

it('reminds again of another date, and of no monthly renewal', async () => {
  const payer = await person();
  const server_id = await rented(payer, { interval: 'yearly' });
  const before = new Date('2027-02-16T12:00:00Z');
  await handled(before);
  await database.sql`
    update subscriptions set period_end = '2027-03-02T12:00:00Z' where server_id = ${server_id}`;
  await handled(before);
  const monthly = await person();
  await rented(monthly);
  await handled(new Date('2026-03-31T12:00:00Z'));
  const reminders = async (who: Actor) =>
    (await toldTo(who)).mails
      .filter(({ template }) => template === 'renewal_soon')
      .map(({ data }) => data.at);
  expect((await reminders(payer)).sort()).toEqual(['2027-03-01T12:00:00Z', '2027-03-02T12:00:00Z']);
  expect(await reminders(monthly)).toEqual([]);
});

it('is handled for accounts that are gone', async () => {
  const payer = await person();
  await database.sql.begin(
    (tx) =>
      tx`insert into events (name, user_id, data) values ('charge.succeeded', ${payer.user_id},
      ${tx.json({ charge_id: newId(), amount_minor: 1, currency: 'USD' })})`,
  );
  await handled(start);
  expect(await toldTo(payer)).toEqual({ mails: [], notes: [] });
});
