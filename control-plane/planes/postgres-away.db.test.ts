import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renameServer } from '#db/hosting/servers/write.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { type EmbeddedPostgres, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';
import { actorFor } from '#db/testing/builders/build.ts';
import { closeClients } from '../testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  running,
  startControlPlane,
  type TestControlPlane,
} from '../testing/plane.ts';
import { powerReport } from '../testing/scripted-agent.ts';

/** A Postgres of its own, because it is stopped while everybody is connected. */
const quick = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
let folder: string;
let postgres: EmbeddedPostgres;
let sql: Pool;
let plane: TestControlPlane;
let renter: RentedServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-away-'));
  postgres = await startPostgres(folder, quick);
  sql = connect({ address: postgres.address, max: 4 });
  await migrate(sql);
  plane = await startControlPlane(sql);
  renter = await rentServer(sql, plane.url);
});
afterAll(async () => {
  closeClients();
  await plane?.close();
  await sql?.end({ timeout: 1 });
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a control plane whose database is away', () => {
  it('keeps every connection, acknowledges nothing, and recovers by itself', async () => {
    const { runner, id, screen, owner } = renter;
    await running(renter);
    await screen.request('server.join', { server_id: id, rooms: ['state', 'console'] });
    await postgres.stop();
    const crashed = powerReport('crashed', { exit_code: 3 });
    expect(await runner.report('server.power', id, crashed)).toMatchObject({
      ok: false,
      error: 'database_away',
    });
    expect(await runner.sendHeartbeat()).toMatchObject({ ok: false, error: 'database_away' });
    expect(await screen.request('server.show', { server_id: id })).toMatchObject({ error: 'database_away' });
    // lines need no record: who looks goes on seeing them
    expect(await runner.print(id, ['still here'])).toEqual({ ok: true });
    await expect.poll(() => screen.received.console.at(-1)?.lines.at(-1)?.text).toBe('still here');

    postgres = await startPostgres(folder, quick);
    expect([runner.socket.connected, screen.socket.connected]).toEqual([true, true]);
    const event = {
      seq: runner.seq,
      server_id: id,
      type: 'server.power',
      at: new Date().toISOString(),
      data: crashed,
    };
    const again = () => runner.request('events.push', { stream_id: runner.stream_id, events: [event] });
    await expect.poll(again).toEqual({ ok: true, seq: runner.seq });
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('crashed');
    await sql.begin((tx) =>
      renameServer(tx, actorFor(owner), { server_id: id, name: 'Heard again' }, new Date()),
    );
    await expect.poll(() => runner.specs.get(id)?.name).toBe('Heard again');
  });
});
