import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listNotices } from '#db/hosting/notices/read.ts';
import { noticeInput } from '#db/hosting/notices/shape.ts';
import { createNotice, editNotice, endNotice } from '#db/hosting/notices/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { actorFor, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { browser, closeClients } from '../testing/clients.ts';
import { type RentedServer, rentServer, startControlPlane, type TestControlPlane } from '../testing/plane.ts';

const database = testDatabase();
let plane: TestControlPlane;
let boss: Actor;
let [one, other]: RentedServer[] = [];
beforeAll(async () => {
  const { sql } = database;
  plane = await startControlPlane(sql);
  boss = actorFor(await user(sql, { role: 'moderator' }), { role: 'moderator' });
  [one, other] = [await rentServer(sql, plane.url), await rentServer(sql, plane.url)];
  for (const { screen, id } of [one, other])
    await screen.request('server.join', { server_id: id, rooms: ['state'] });
});
afterAll(async () => {
  closeClients();
  await plane.close();
});

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const write = (given: object) =>
  createNotice(
    database.sql,
    boss,
    noticeInput.parse({ level: 'warn', title: 'Work tonight', begins: at(0), ...given }),
    new Date(),
  );
const titles = ({ screen }: RentedServer) =>
  screen.received.notices.at(-1)?.notices.map(({ title }) => title) ?? [];

describe('a notice', () => {
  it('begins at its time on two open panels, and ends at its time', async () => {
    const { sql } = database;
    const id = await write({ title: 'Soon', begins: at(3_600_000) });
    const heardAt: number[] = [];
    for (const { screen } of [one!, other!])
      screen.socket.on('notices', ({ notices }) => {
        if (notices.length > 0) heardAt.push(Date.now());
      });
    const begins = Date.now() + 400;
    await sql`update server_notices set begins = ${new Date(begins)} where id = ${id}`;
    await expect.poll(() => [titles(one!), titles(other!)]).toEqual([['Soon'], ['Soon']]);
    expect(Math.min(...heardAt)).toBeGreaterThanOrEqual(begins);
    await sql`update server_notices set expires = now() + interval '400 milliseconds' where id = ${id}`;
    await expect.poll(() => [titles(one!), titles(other!)]).toEqual([[], []]);
  });

  it('is shown, changed and ended at once', async () => {
    const id = await write({});
    await expect.poll(() => titles(one!)).toEqual(['Work tonight']);
    const input = noticeInput.parse({ level: 'critical', title: 'Work now', begins: at(-1_000) });
    await editNotice(database.sql, boss, id, input, new Date());
    await expect
      .poll(() => one!.screen.received.notices.at(-1)?.notices)
      .toMatchObject([{ id, level: 'critical', title: 'Work now' }]);
    await endNotice(database.sql, boss, id, new Date());
    await expect.poll(() => [titles(one!), titles(other!)]).toEqual([[], []]);
  });

  it('for a node or a server is shown nowhere else', async () => {
    const ids = [
      await write({ title: 'For a node', targets: [{ node_id: one!.node.id }] }),
      await write({ title: 'For a server', targets: [{ server_id: other!.id }] }),
      await write({ title: 'For all' }),
    ];
    await expect.poll(() => titles(one!).toSorted()).toEqual(['For a node', 'For all']);
    await expect.poll(() => titles(other!).toSorted()).toEqual(['For a server', 'For all']);
    const joined = await one!.screen.request('server.join', { server_id: one!.id, rooms: ['state'] });
    expect(joined.ok && joined.notices).toHaveLength(2);
    for (const id of ids) await endNotice(database.sql, boss, id, new Date());
    await expect.poll(() => titles(one!)).toEqual([]);
  });

  it('is dismissed by one user for that user, on all their panels', async () => {
    const id = await write({ title: 'Read me' });
    const stays = await write({ title: 'I stay', dismissable: false });
    const second = await browser(plane.url, { token: one!.key });
    await second.request('server.join', { server_id: one!.id, rooms: ['state'] });
    await expect.poll(() => titles(other!)).toHaveLength(2);
    expect(await second.request('notice.dismiss', { notice_id: id })).toEqual({ ok: true });
    expect(await second.request('notice.dismiss', { notice_id: id })).toEqual({ ok: true });
    expect(await second.request('notice.dismiss', { notice_id: stays })).toMatchObject({
      error: 'notice_not_dismissable',
    });
    expect(await second.request('notice.dismiss', { notice_id: 'AABBCCDD' })).toMatchObject({
      error: 'notice_unknown',
    });
    await expect.poll(() => titles(one!)).toEqual(['I stay']);
    await expect.poll(() => second.received.notices.at(-1)?.notices).toHaveLength(1);
    expect(titles(other!)).toHaveLength(2);
    expect(await listNotices(database.sql)).toContainEqual(
      expect.objectContaining({ id, dismissed: 1, targets: [] }),
    );
  });

  it('is written by staff only, for existing targets, and ends after it begins', async () => {
    const { sql } = database;
    const input = noticeInput.parse({ level: 'info', title: 'Hi', begins: at(0) });
    const renter = actorFor(one!.owner);
    await expect(createNotice(sql, renter, input, new Date())).rejects.toThrow('moderators');
    await expect(createNotice(sql, null, input, new Date())).rejects.toThrow('Sign in');
    await expect(endNotice(sql, renter, 'AABBCCDD', new Date())).rejects.toThrow('moderators');
    await expect(write({ expires: at(-60_000) })).rejects.toThrow('end must be after the start');
    const lost = sql.begin((tx) =>
      createNotice(tx, boss, { ...input, targets: [{ server_id: 'AABBCCDD' }] }, new Date()),
    );
    await expect(lost).rejects.toThrow('does not exist');
    await expect(editNotice(sql, boss, 'AABBCCDD', input, new Date())).rejects.toThrow('doesn’t exist');
  });
});
