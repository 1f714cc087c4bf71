import { describe, expect, it } from 'vitest';
import { issueTicket } from '#db/servers/tickets.ts';
import { suspendServer } from '#db/servers/write.ts';
import { actorFor, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { Operation } from './protocol/agent.ts';
import { type RentedServer, rentServer, testControlPlane } from './testing/plane.ts';

const database = testDatabase();
const plane = testControlPlane(database);

const ticketFor = ({ owner, id }: Pick<RentedServer, 'owner' | 'id'>, now = new Date()) =>
  issueTicket(database.sql, actorFor(owner), id, now);
const get = (ticket: string) => fetch(`${plane.url}/transfers?ticket=${ticket}`);
const put = ({ args }: Operation, body: BodyInit) =>
  fetch(`${plane.url}${args.put}`, { method: 'PUT', body, duplex: 'half' } as RequestInit);
/** The agent's answer to the next `collect`. */
const collecting = ({ runner }: RentedServer) =>
  new Promise<Operation>((go) => {
    runner.answerOperation = (operation) => {
      go(operation);
      return { status: 'accepted' };
    };
  });

describe('an archive of a server', () => {
  it('is streamed from its node, also in the grace period, by a ticket that works once', async () => {
    const renter = await rentServer(database.sql, plane.url);
    await database.sql.begin((tx) => suspendServer(tx, renter.id, 'cancelled'));
    const ticket = await ticketFor(renter);
    const asked = collecting(renter);
    const fetched = get(ticket);
    const operation = await asked;
    expect(operation).toMatchObject({ kind: 'archive', server_id: renter.id });
    const bytes = Buffer.alloc(3_000_000, 'world');
    expect((await put(operation, bytes)).status).toBe(200);
    const answer = await fetched;
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Valley.tar.zst");
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);

    expect((await get(ticket)).status).toBe(404);
    expect((await put(operation, 'again')).status).toBe(404);
    expect(await (await get('sft_guessed')).json()).toMatchObject({ error: 'ticket_invalid' });
  });

  it('that is cut off is not taken for complete', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const asked = collecting(renter);
    const fetched = get(await ticketFor(renter));
    const operation = await asked;
    const broken = new ReadableStream({
      async start(stream) {
        stream.enqueue(Buffer.alloc(100_000));
        await fetched;
        stream.error(new Error('the disk is gone'));
      },
    });
    await expect(put(operation, broken)).rejects.toThrow();
    await expect(fetched.then((answer) => answer.arrayBuffer())).rejects.toThrow();
  });

  it('that its agent cannot pack is refused at once', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const asked = collecting(renter);
    const fetched = get(await ticketFor(renter));
    const { op_id } = await asked;
    await renter.runner.report('operation.ended', renter.id, { op_id, state: 'failed', result: {} });
    const answer = await fetched;
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: 'server_unreachable' }]);
  });

  it('is transferred at most twice at a time for one account', async () => {
    const { sql } = database;
    const renter = await rentServer(sql, plane.url);
    const other = await rentServer(sql, plane.url);
    const operations: Operation[] = [];
    for (const { runner } of [renter, other])
      runner.answerOperation = (operation) => {
        operations.push(operation);
        return { status: 'accepted' };
      };
    const [first, second, third] = [
      await ticketFor(renter),
      await ticketFor(renter),
      await ticketFor(renter),
    ];
    const fetched = [get(first!), get(second!)];
    await expect.poll(() => operations.length).toBe(2);
    const refused = await get(third!);
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: 'connections_too_many' }]);
    const others = get(await ticketFor(other));
    await expect.poll(() => operations.length).toBe(3);

    expect((await put(operations[0]!, 'one')).status).toBe(200);
    expect((await put(operations[1]!, 'two')).status).toBe(200);
    await Promise.all(fetched.map(async (answer) => (await answer).arrayBuffer()));
    const later = get(third!);
    await expect.poll(() => operations.length).toBe(4);
    await Promise.all(operations.slice(2).map((operation) => put(operation, 'rest')));
    expect([(await others).status, (await later).status]).toEqual([200, 200]);
  });

  it('is for its owner, while it is available, and its ticket expires', async () => {
    const { sql } = database;
    const renter = await rentServer(sql, plane.url);
    const stranger = await user(sql);
    const refused = async (given: Promise<string>, code: string) =>
      await expect(given).rejects.toMatchObject({ code });
    await refused(ticketFor({ owner: stranger, id: renter.id }), 'server_not_found');
    await refused(issueTicket(sql, null, renter.id, new Date()), 'authentication_required');
    const old = await ticketFor(renter, new Date(Date.now() - 11 * 60_000));
    expect((await get(old)).status).toBe(404);
    await sql.begin((tx) => suspendServer(tx, renter.id, 'moderated'));
    await refused(ticketFor(renter), 'server_suspended');
    await sql.begin((tx) => suspendServer(tx, renter.id, 'cancelled'));
    await sql`update nodes set status = 'offline' where id = ${renter.node.id}`;
    await refused(ticketFor(renter), 'server_unreachable');
  });
});
