import { describe, expect, it } from 'vitest';
import { issueArchiveTicket } from '#db/hosting/servers/tickets.ts';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { actorFor, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { addressOf, silentAgent } from '../testing/downloads.ts';
import {
  type RentedServer,
  rentServer,
  startControlPlane,
  type TestControlPlane,
  testTwoPlanes,
} from '../testing/plane.ts';

const database = testDatabase();
const [here, there] = testTwoPlanes(database);
const rent = () => rentServer(database.sql, here.url);
const ticketFor = ({ owner, id }: Pick<RentedServer, 'owner' | 'id'>, now = new Date()) =>
  issueArchiveTicket(database.sql, actorFor(owner), id, now);
const archive = (ticket: string, plane = here) => fetch(`${plane.url}/transfers?ticket=${ticket}`);

describe('an archive of a server', () => {
  it('is streamed from its node, also in the grace period, by a ticket that works once', async () => {
    const renter = await rent();
    await database.sql.begin((tx) => suspendServer(tx, renter.id, 'cancelled'));
    const ticket = await ticketFor(renter);
    const answer = await archive(ticket);
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Valley.tar.zst");
    expect(await answer.text()).toBe('tar.zst of ');
    expect(renter.runner.files.asked).toMatchObject([
      { query: 'send', args: { paths: [''], as: 'tar.zst' } },
    ]);
    expect((await archive(ticket)).status).toBe(404);
    expect(await (await archive('sft_guessed')).json()).toMatchObject({ error: 'ticket_invalid' });
  });

  it('that is cut off is not taken for complete', async () => {
    const renter = await rent();
    const asked = silentAgent(renter);
    const fetched = archive(await ticketFor(renter));
    const put = await asked;
    const broken = new ReadableStream({
      async start(stream) {
        stream.enqueue(Buffer.alloc(100_000));
        await fetched;
        stream.error(new Error('the disk is gone'));
      },
    });
    const sent = fetch(`${here.url}${put}`, { method: 'PUT', body: broken, duplex: 'half' } as RequestInit);
    await expect(sent).rejects.toThrow();
    await expect(fetched.then((answer) => answer.arrayBuffer())).rejects.toThrow();
  });

  it('that its agent cannot pack is refused with its words', async () => {
    const renter = await rent();
    renter.runner.files.before = async () => ({
      ...{ ok: false, error: 'server_file_too_large', data: { path: 'world', most_mb: 5 } },
    });
    const answer = await archive(await ticketFor(renter));
    expect([answer.status, await answer.json()]).toMatchObject([413, { error: 'server_file_too_large' }]);
  });

  it('is refused while its agent is gone, and its address is of no use any more', async () => {
    const renter = await rent();
    const asked = silentAgent(renter);
    const fetched = archive(await ticketFor(renter));
    const put = await asked;
    await database.sql`update nodes set last_seen = now() - interval '1 minute' where id = ${renter.node.id}`;
    renter.runner.close();
    const answer = await fetched;
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: 'server_unreachable' }]);
    expect((await fetch(`${here.url}${put}`, { method: 'PUT', body: 'late' })).status).toBe(404);
  });

  it('is transferred at most twice at a time for one account', async () => {
    const renter = await rent();
    const other = await rent();
    const puts: string[] = [];
    for (const { runner } of [renter, other])
      runner.files.before = async (_, { put }) => {
        puts.push(put!);
        return await new Promise<never>(() => {});
      };
    const [first, second, third] = [
      await ticketFor(renter),
      await ticketFor(renter),
      await ticketFor(renter),
    ];
    const fetched = [archive(first), archive(second)];
    await expect.poll(() => puts.length).toBe(2);
    const refused = await archive(third);
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: 'connections_too_many' }]);
    const others = archive(await ticketFor(other));
    await expect.poll(() => puts.length).toBe(3);
    const send = (put: string) => fetch(`${here.url}${put}`, { method: 'PUT', body: 'all' });
    for (const put of puts.slice(0, 2)) expect((await send(put)).status).toBe(200);
    await Promise.all(fetched.map(async (answer) => (await answer).arrayBuffer()));
    const later = archive(third);
    await expect.poll(() => puts.length).toBe(4);
    await Promise.all(puts.slice(2).map(send));
    expect([(await others).status, (await later).status]).toEqual([200, 200]);
  });

  it('is for its owner, while it is available, and its ticket expires', async () => {
    const { sql } = database;
    const renter = await rent();
    const stranger = await user(sql);
    const refused = async (given: Promise<string>, code: string) =>
      await expect(given).rejects.toMatchObject({ code });
    await refused(ticketFor({ owner: stranger, id: renter.id }), 'server_not_found');
    await refused(issueArchiveTicket(sql, null, renter.id, new Date()), 'authentication_required');
    const old = await ticketFor(renter, new Date(Date.now() - 11 * 60_000));
    expect((await archive(old)).status).toBe(404);
    await sql.begin((tx) => suspendServer(tx, renter.id, 'moderated'));
    await refused(ticketFor(renter), 'server_suspended');
    await sql.begin((tx) => suspendServer(tx, renter.id, 'cancelled'));
    await sql`update nodes set status = 'offline' where id = ${renter.node.id}`;
    await refused(ticketFor(renter), 'server_unreachable');
  });
});

describe('downloads of two control planes', () => {
  it('reach the client at one plane from an agent at the other', async () => {
    const renter = await rent();
    renter.runner.files.files.set('map', Buffer.alloc(3_000_000, 'world'));
    const answer = await fetch(there.url + (await addressOf(renter, ['map'])));
    expect((await answer.arrayBuffer()).byteLength).toBe(3_000_000);
    // the agent went to its own plane, which forwarded; it may be answered after the client has all
    await expect.poll(() => renter.runner.files.statuses).toEqual([200]);
  });

  it('use a ticket once, also when both planes get it at the same moment', async () => {
    const renter = await rent();
    for (let round = 0; round < 5; round++) {
      const ticket = await ticketFor(renter);
      const statuses = await Promise.all([archive(ticket), archive(ticket, there)]);
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
      await Promise.all(statuses.map((answer) => answer.arrayBuffer()));
    }
  });

  it('use the address of an agent once', async () => {
    const renter = await rent();
    const asked = silentAgent(renter);
    const fetched = archive(await ticketFor(renter));
    const put = await asked;
    const send = (plane: TestControlPlane) => fetch(`${plane.url}${put}`, { method: 'PUT', body: 'x' });
    const statuses = await Promise.all([send(here), send(there), send(there)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await (await fetched).text()).toBe('x');
    const from = put.replace('to=', 'from=');
    expect((await fetch(`${here.url}${from}`)).status).toBe(404);
  });

  it('end with the plane that waits for them', async () => {
    const renter = await rent();
    const third = await startControlPlane(database.sql);
    const asked = silentAgent(renter);
    const fetched = archive(await ticketFor(renter), third).then(({ status }) => status);
    const put = await asked;
    await third.close();
    expect(await fetched).toBe(503);
    const late = await fetch(`${here.url}${put}`, { method: 'PUT', body: 'late' });
    expect([late.status, await late.json()]).toMatchObject([404, { error: 'ticket_invalid' }]);
    // one that could not clean up
    await database.sql`
      insert into server_transfers (hash, server_id, plane_id, direction, expires)
      values (encode(sha256('dead'), 'hex'), ${renter.id}, 'dead', 'to', now() + interval '1 minute')`;
    const dead = await fetch(`${here.url}/transfers?to=dead`, { method: 'PUT', body: 'late' });
    expect([dead.status, await dead.json()]).toMatchObject([503, { error: 'plane_away' }]);
  });
});
