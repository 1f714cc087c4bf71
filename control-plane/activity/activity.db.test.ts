import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';
import { auditConsumer } from '#db/moderation/audit/consumer.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type Browser, browser } from '../testing/clients.ts';
import { type RentedServer, rentServer, running, testTwoPlanes } from '../testing/plane.ts';

const database = testDatabase();
const [plane, other] = testTwoPlanes(database);
const rent = () => rentServer(database.sql, plane.url);

/** What the activity says once the audit log has everything. */
async function activity(
  { screen, id }: Pick<RentedServer, 'screen' | 'id'>,
  filter: object = {},
): Promise<ActivityEntry[]> {
  const { step } = auditConsumer(database.sql);
  while ((await step()) > 0);
  const answer = await screen.request('activity.list', { server_id: id, limit: 50, ...filter } as never);
  if (!answer.ok) throw new Error((answer as { error: string }).error);
  return (answer as unknown as { entries: ActivityEntry[] }).entries;
}

const guestOf = async ({ screen, id }: RentedServer, rights: string[], url = plane.url) => {
  const person = await user(database.sql);
  const guest = await browser(url, { token: await token(database.sql, person) });
  const { username } = person;
  await screen.request('people.invite', { server_id: id, username, role: 'editor', rights } as never);
  await guest.request('people.answer', { server_id: id, answer: 'accept' });
  return { person, screen: guest };
};

describe('the activity of a server', () => {
  it('has what anybody did, with filters and pages', async () => {
    const renter = await rent();
    await running(renter);
    const { id: server_id } = renter;
    const guest = await guestOf(renter, ['console', 'files', 'power']);
    renter.runner.results.set('file_create', {});
    const secret = `say ${'x'.repeat(300)}`;
    await guest.screen.request('server.command', { server_id, text: secret });
    await guest.screen.request('server.power', { server_id, op_id: randomUUID(), action: 'stop' });
    await guest.screen.request('files.create', {
      server_id,
      op_id: randomUUID(),
      path: 'a.txt',
      type: 'file',
    });
    await expect
      .poll(async () => (await activity(renter)).map(({ name }) => name))
      .toEqual(
        expect.arrayContaining([
          'server.command_sent',
          'server.files_changed',
          'server.power_requested',
          'server.member_invited',
          'server.member_joined',
        ]),
      );
    const [command] = await activity(renter, { kind: 'console' });
    expect(command).toMatchObject({
      ...{ kind: 'console', by: 'person', username: guest.person.username },
      data: { text: secret.slice(0, 200), skipped: 0 },
    });
    expect(await activity(renter, { kind: 'files' })).toMatchObject([
      { data: { action: 'create', paths: ['a.txt'], count: 1 } },
    ]);
    expect(await activity(renter, { kind: 'access', person: renter.owner.username })).toMatchObject([
      { name: 'server.member_invited', member: guest.person.username },
    ]);
    expect(await activity(renter, { since: '2099-01-01T00:00:00Z' })).toEqual([]);
    expect(await activity(renter, { until: '2020-01-01T00:00:00Z' })).toEqual([]);
    const all = await activity(renter);
    const message = { server_id, limit: 2 };
    const first = await renter.screen.request('activity.list', message);
    if (!first.ok || first.next === null) throw new Error('there is one page only');
    const second = await renter.screen.request('activity.list', { ...message, before: first.next });
    expect([first, second].flatMap((page) => (page.ok ? page.entries : []))).toEqual(all.slice(0, 4));
  });

  it('is read by who manages people, and nobody else', async () => {
    const renter = await rent();
    const { id: server_id } = renter;
    const viewer = await guestOf(renter, []);
    const manager = await guestOf(renter, ['people']);
    const ask = (screen: Browser) => screen.request('activity.list', { server_id, limit: 5 });
    expect(await ask(manager.screen)).toMatchObject({ ok: true });
    expect(await ask(viewer.screen)).toMatchObject({ error: 'server_right_missing' });
    const stranger = await browser(plane.url, { token: await token(database.sql, await user(database.sql)) });
    expect(await ask(stranger)).toMatchObject({ error: 'server_not_found' });
  });

  it('does not name staff', async () => {
    const renter = await rent();
    await running(renter);
    const admin = await user(database.sql, { role: 'admin' });
    const screen = await browser(plane.url, { token: await token(database.sql, admin) });
    await screen.request('server.power', { server_id: renter.id, op_id: randomUUID(), action: 'stop' });
    const [stop] = await activity(renter, { kind: 'power' });
    expect(stop).toMatchObject({ by: 'staff', username: null });
  });
});

describe('presence', () => {
  const names = ({ received }: Browser) => received.presence.at(-1)?.people.map(({ username }) => username);

  it('tells who has the panel open at any plane, and who left', async () => {
    const renter = await rent();
    const { id: server_id } = renter;
    const guest = await guestOf(renter, [], other.url);
    await renter.screen.request('server.join', { server_id, rooms: ['state'] });
    await expect.poll(() => names(renter.screen)).toEqual([renter.owner.username]);
    await guest.screen.request('server.join', { server_id, rooms: ['state'] });
    const both = [renter.owner.username, guest.person.username].sort();
    await expect.poll(() => names(renter.screen)?.sort(), { timeout: 10_000 }).toEqual(both);
    await expect.poll(() => names(guest.screen)?.sort(), { timeout: 10_000 }).toEqual(both);
    guest.screen.close();
    await expect.poll(() => names(renter.screen), { timeout: 10_000 }).toEqual([renter.owner.username]);
  });

  it('does not tell of staff', async () => {
    const renter = await rent();
    const { id: server_id } = renter;
    const admin = await user(database.sql, { role: 'admin' });
    const screen = await browser(plane.url, { token: await token(database.sql, admin) });
    await screen.request('server.join', { server_id, rooms: ['state'] });
    await renter.screen.request('server.join', { server_id, rooms: ['state'] });
    await expect.poll(() => names(screen)).toEqual([renter.owner.username]);
  });
});
