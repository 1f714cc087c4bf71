import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { closeSession, openSession } from '#db/platform/people/session.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { browser, closeClients, connected, staff } from '../testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  running,
  siteUrl,
  startControlPlane,
  type TestControlPlane,
} from '../testing/plane.ts';

const database = testDatabase();
let plane: TestControlPlane;
let renter: RentedServer;
beforeAll(async () => {
  plane = await startControlPlane(database.sql);
  renter = await rentServer(database.sql, plane.url);
  await running(renter);
});
afterAll(async () => {
  closeClients();
  await plane.close();
});

const everything = ['state', 'console', 'stats'] as const;
const join = (id: string) => ({ server_id: id, rooms: [...everything] });

describe('another user', () => {
  it('gets the same answer about a foreign server as about one that does not exist', async () => {
    const stranger = await browser(plane.url, { token: await token(database.sql, await user(database.sql)) });
    const op_id = randomUUID();
    for (const server_id of [renter.id, 'AABBCCDD']) {
      const answers = [
        await stranger.request('server.join', join(server_id)),
        await stranger.request('server.show', { server_id }),
        await stranger.request('server.power', { server_id, op_id, action: 'kill' }),
        await stranger.request('server.command', { server_id, text: 'stop' }),
        await stranger.request('server.commands', { server_id }),
        await stranger.request('server.rename', { server_id, name: 'Mine' }),
        await stranger.request('server.history', { server_id, before: null, limit: 10 }),
        await stranger.request('server.delete', { server_id }),
      ];
      const description = 'That server doesn’t exist.';
      const same = { ok: false, error: 'server_not_found', status: 404, description };
      expect(answers).toEqual(answers.map(() => same));
    }
    expect(await stranger.request('server.list', {})).toEqual({
      ok: true,
      servers: [],
      shared: {},
      players: {},
    });
    expect(renter.runner.commands).toEqual([]);
    await renter.runner.print(renter.id, ['only for the owner']);
    await stranger.request('server.list', {}); // what was said before it would have come before its answer
    expect(stranger.received.console).toEqual([]);
  });

  it('gets refusals in its own language', async () => {
    const key = await token(database.sql, await user(database.sql));
    const stranger = await browser(plane.url, { token: key, locale: 'de-DE' });
    expect(await stranger.request('server.show', { server_id: renter.id })).toMatchObject({
      error: 'server_not_found',
      description: expect.not.stringContaining('That server'),
    });
  });
});

describe('the handshake of a panel', () => {
  const cookieOf = async () => {
    const session = await openSession(database.sql, {
      user_id: renter.owner.id,
      user_agent: null,
      now: new Date(),
    });
    return { token: session.session!, cookie: `auth-token=${session.session}` };
  };

  it('accepts a session cookie from our own pages only', async () => {
    const { cookie } = await cookieOf();
    const ours = await browser(plane.url, { headers: { cookie, origin: siteUrl } });
    expect(await ours.request('server.show', { server_id: renter.id })).toMatchObject({ ok: true });
    const foreign = browser(plane.url, { headers: { cookie, origin: 'https://evil.example' } });
    await expect(foreign).rejects.toThrow('cross_site');
    await expect(browser(plane.url, { headers: { cookie } })).rejects.toThrow('cross_site');
  });

  it('refuses a missing or unknown token, and polling', async () => {
    await expect(browser(plane.url, {})).rejects.toThrow('authentication_required');
    await expect(browser(plane.url, { token: `mrp_${'x'.repeat(60)}` })).rejects.toThrow('token_invalid');
    await expect(browser(plane.url, { token: 'hunter2' })).rejects.toThrow('token_kind_unknown');
    const polled = await fetch(`${plane.url}/socket.io/?EIO=4&transport=polling`);
    expect(polled.status).toBe(400);
  });

  it('closes connections to the default namespace', async () => {
    const socket = io(plane.url, { transports: ['websocket'], forceNew: true, reconnection: false });
    const closed = new Promise((go) => socket.io.engine.once('close', go));
    await expect(connected(socket)).rejects.toThrow('Connect to /server');
    await closed;
    expect(plane.plane.context.io.of('/').sockets.size).toBe(0);
  });

  it('accepts heads as large as those that the site proxies', async () => {
    const head = (bytes: number) => ({ 'x-long': 'x'.repeat(bytes) });
    expect((await fetch(plane.url, { headers: head(32 * 1024) })).status).toBe(404);
    expect((await fetch(plane.url, { headers: head(36 * 1024) })).status).toBe(431);
  });

  it('enforces the scopes of a token', async () => {
    const { sql } = database;
    const [reads, nothing] = [
      await browser(plane.url, { token: await token(sql, renter.owner, ['SERVER_READ']) }),
      await browser(plane.url, { token: await token(sql, renter.owner, ['PROJECT_READ']) }),
    ];
    const { id: server_id } = renter;
    expect(await reads.request('server.join', join(server_id))).toMatchObject({ ok: true });
    const typed = await reads.request('server.command', { server_id, text: 'op me' });
    expect(typed).toMatchObject({ ok: false, error: 'scope_missing' });
    expect((typed as { description: string }).description).toContain('SERVER_WRITE');
    expect(await reads.request('server.commands', { server_id })).toMatchObject({ error: 'scope_missing' });
    expect(await reads.request('server.delete', { server_id })).toMatchObject({ error: 'scope_missing' });
    expect(await nothing.request('server.join', join(server_id))).toMatchObject({ error: 'scope_missing' });
    expect(await nothing.request('server.list', {})).toMatchObject({ error: 'scope_missing' });
  });

  it('admits only administrators to nodes', async () => {
    const { sql } = database;
    const asked = async (role: 'developer' | 'moderator' | 'admin') => {
      const socket = await staff(plane.url, await token(sql, await user(sql, { role })));
      return await socket.timeout(20_000).emitWithAck('node.list', {});
    };
    expect(await asked('developer')).toMatchObject({ ok: false, error: 'admins_only' });
    expect(await asked('moderator')).toMatchObject({ ok: false, error: 'admins_only' });
    expect(await asked('admin')).toMatchObject({
      ok: true,
      nodes: [{ id: renter.node.id, status: 'online' }],
    });
  });
});

describe('while a panel is open', () => {
  const open = async (key: string) => {
    const screen = await browser(plane.url, { token: key });
    expect(await screen.request('server.join', join(renter.id))).toMatchObject({ ok: true });
    return screen;
  };
  const sentAway = async (screen: Awaited<ReturnType<typeof open>>, error: string) => {
    await expect
      .poll(() => screen.received['access.revoked'])
      .toMatchObject([{ server_id: renter.id, error }]);
    const before = screen.received.console.length;
    await renter.runner.print(renter.id, ['said after the right had ended']);
    if (screen.socket.connected) await screen.request('server.list', {}).catch(() => {});
    expect(screen.received.console).toHaveLength(before);
  };

  it('the end of its session evicts it from all rooms', async () => {
    const now = new Date();
    const { session } = await openSession(database.sql, { user_id: renter.owner.id, user_agent: null, now });
    const screen = await open(session!);
    await closeSession(database.sql, session!, now);
    await sentAway(screen, 'token_invalid');
    await expect.poll(() => screen.socket.connected).toBe(false);
  });

  it('so does the end of its token, or of the scope', async () => {
    const { sql } = database;
    const taken = await token(sql, renter.owner);
    const narrowed = await token(sql, renter.owner);
    const expired = await token(sql, renter.owner);
    const screens = [await open(taken), await open(narrowed), await open(expired)] as const;
    const hash = (text: string) => sql`encode(sha256(${text}::bytea), 'hex')`;
    await sql`delete from tokens where token_hash = ${hash(taken)}`;
    await sentAway(screens[0], 'token_invalid');
    await sql`update tokens set scopes = 0 where token_hash = ${hash(narrowed)}`;
    await sentAway(screens[1], 'scope_missing');
    expect(screens[1].socket.connected).toBe(true);
    await sql`update tokens set expires = now() where token_hash = ${hash(expired)}`;
    await sentAway(screens[2], 'token_invalid');
  });

  it('a former administrator loses access to the servers of others', async () => {
    const { sql } = database;
    const admin = await user(sql, { role: 'admin' });
    const key = await token(sql, admin);
    const screen = await open(key);
    const fleet = await staff(plane.url, key);
    await fleet.timeout(20_000).emitWithAck('node.list', {});
    await sql`update users set role = 'developer' where id = ${admin.id}`;
    await sentAway(screen, 'server_not_found');
    await expect.poll(() => fleet.connected).toBe(false);
  });

  it('a former owner loses access to the server', async () => {
    const { sql } = database;
    const screen = await open(renter.key);
    const heir = await user(sql);
    await sql`update servers set owner_id = ${heir.id} where id = ${renter.id}`;
    await sentAway(screen, 'server_not_found');
    await sql`update servers set owner_id = ${renter.owner.id} where id = ${renter.id}`;
  });

  it('a suspension ends everything but the room state', async () => {
    const { sql } = database;
    const { id: server_id } = renter;
    const screen = await open(renter.key);
    await sql.begin((tx) => suspendServer(tx, server_id, 'payment_failed'));
    await sentAway(screen, 'server_suspended');
    await expect
      .poll(() => renter.runner.specs.get(server_id))
      .toMatchObject({ suspended: true, power: 'off' });
    const op_id = randomUUID();
    const refused = [
      await screen.request('server.power', { server_id, op_id, action: 'start' }),
      await screen.request('server.command', { server_id, text: 'list' }),
      await screen.request('server.history', { server_id, before: null, limit: 5 }),
    ];
    expect(refused).toMatchObject(refused.map(() => ({ ok: false, error: 'server_suspended' })));
    expect(renter.runner.commands).toEqual([]);
    const again = await screen.request('server.join', join(server_id));
    expect(again).toMatchObject({
      ok: true,
      console: null,
      server: { lifecycle_data: { reason: 'payment_failed' } },
    });
    await renter.runner.print(server_id, ['nobody may see this']);
    await screen.request('server.list', {});
    expect(screen.received.console.flatMap(({ lines }) => lines.map(({ text }) => text))).not.toContain(
      'nobody may see this',
    );
  });
});

describe('handshakes', () => {
  it('are refused above a rate by address, before the database is queried', () => {
    const knock = (address: string) => plane.plane.checkHandshakeRate({ headers: {}, auth: {}, address });
    const often = () => {
      for (let i = 0; i < 100_000; i++) knock('198.51.100.1');
    };
    expect(often).toThrow('You’re going too fast');
    expect(() => knock('198.51.100.2')).not.toThrow();
  });
});
