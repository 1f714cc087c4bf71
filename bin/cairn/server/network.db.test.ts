import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkDomainsJob } from '#control/jobs/check-domains.ts';
import type { JobContext } from '#control/jobs/define.ts';
import { closeClients } from '#control/testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  running,
  siteUrl,
  startControlPlane,
  type TestControlPlane,
} from '#control/testing/plane.ts';
import { powerReport } from '#control/testing/scripted-agent.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type DnsServer, dnsServer, srvRecord } from '#db/testing/dns-server.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = {} as TestControlPlane;
let names: DnsServer;
beforeAll(async () => {
  names = await dnsServer();
  const env = { DNS_SERVERS: names.address };
  Object.assign(plane, await startControlPlane(database.sql, 0, undefined, { env }));
});
afterAll(async () => {
  closeClients();
  await plane.close();
  await names.close();
});
const rent = () => rentServer(database.sql, plane.url);
const cairn = serverCommand(plane);
const json = async (...words: Parameters<typeof cairn>) => JSON.parse((await cairn(...words, '--json')).out);
const view = async ({ id, screen }: RentedServer) => {
  const answer = await screen.request('server.show', { server_id: id });
  return (answer as unknown as { server: { restart_due: boolean; domain: string | null } }).server;
};

describe('cairn server ports', () => {
  it('adds, renames and removes; the agent publishes them, and a running server waits for its restart', async () => {
    const renter = await rent();
    const { id, runner } = renter;
    const game = (await json(renter, 'ports', 'list', id)).game;
    const port = Number((await cairn(renter, 'ports', 'add', id, 'Map')).out);
    expect(port).toBe(game + 1);
    await vi.waitFor(() => expect(runner.specs.get(id)?.extra_ports).toEqual([port]));
    expect((await view(renter)).restart_due).toBe(false);
    await running(renter);
    expect(await json(renter, 'ports', 'rename', id, String(port), 'Live map')).toMatchObject({
      ports: [{ port, name: 'Live map' }],
    });
    expect((await view(renter)).restart_due).toBe(false);
    expect(await json(renter, 'ports', 'remove', id, String(port))).toMatchObject({
      ports: [],
      open_until_restart: [port],
    });
    expect((await view(renter)).restart_due).toBe(true);
    await vi.waitFor(() => expect(runner.specs.get(id)?.extra_ports).toEqual([]));
    const { generation } = runner.specs.get(id)!;
    await runner.report('server.power', id, powerReport('starting', { generation }));
    expect(await json(renter, 'ports', 'list', id)).toMatchObject({ open_until_restart: [] });
    const events = await database.sql`
      select name from events where server_id = ${id} and name like 'server.port%' order by id`;
    expect(events.map(({ name }) => name)).toEqual([
      ...['server.port_added', 'server.port_renamed', 'server.port_removed'],
    ]);
  });

  it.each([
    [['ports', 'remove', 'ID', '1']],
    [['ports', 'rename', 'ID', '80', 'x']],
    [['ports', 'add', 'ID', '']],
    [['domain', 'check', 'ID']],
    [['domain', 'show', 'ID']],
    [['domain', 'set', 'ID', 'http://play.example.org']],
    [['domain', 'set', 'ID', '192.0.2.7']],
    [['domain', 'set', 'ID', new URL(siteUrl).hostname]],
    [['domain', 'set', 'ID', 'PLAY.example.test']],
  ])('refuses %j', async (words) => {
    const renter = await rent();
    const asked = words.map((word) => (word === 'ID' ? renter.id : word));
    const { code, errors } = await cairn(renter, ...asked);
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(/\w{4}/) });
  });

  it('is hidden from others', async () => {
    const [renter, other] = [await rent(), await rent()];
    for (const words of [
      ['ports', 'list', renter.id],
      ['ports', 'add', renter.id, 'Map'],
      ['domain', 'set', renter.id, 'hidden.example.org'],
      ['domain', 'check', renter.id],
    ])
      expect(await cairn(other, ...words)).toMatchObject({ code: 1 });
    expect(await database.sql`select 1 from server_domains where domain = 'hidden.example.org'`).toHaveLength(
      0,
    );
  });
});

describe('cairn server domain', () => {
  const later = (renter: RentedServer) =>
    database.sql`update server_domains set asked = null where server_id = ${renter.id}`;
  async function gamePort(renter: RentedServer): Promise<number> {
    return (await json(renter, 'ports', 'list', renter.id)).game;
  }

  it('is pending, wrong, and then verified, as name servers answer', async () => {
    const renter = await rent();
    const { id } = renter;
    const port = await gamePort(renter);
    const domain = 'xn--bcher-kva.example.org';
    expect(await json(renter, 'domain', 'set', id, 'Bücher.example.org')).toMatchObject({
      ...{ domain, shown: 'bücher.example.org', state: 'pending', found: { problem: 'no_records' } },
      records: [
        { type: 'CNAME', name: domain, value: 'play.example.test' },
        { type: 'SRV', name: `_minecraft._tcp.${domain}`, value: `0 5 ${port} play.example.test` },
      ],
    });
    expect((await cairn(renter, 'domain', 'export', id)).out).toContain(
      `_minecraft._tcp.${domain}. 3600 IN SRV 0 5 ${port} play.example.test.`,
    );
    names.answers = [srvRecord(domain, port + 1, 'play.example.test')];
    expect((await cairn(renter, 'domain', 'check', id)).out).toContain('wrong (srv_port)');
    expect(await cairn(renter, 'domain', 'check', id)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('5 seconds'),
    });
    names.answers = [srvRecord(domain, port, 'play.example.test')];
    await later(renter);
    expect(await cairn(renter, 'domain', 'check', id)).toMatchObject({ code: 0 });
    expect((await view(renter)).domain).toBe(domain);

    // name servers that say nothing take nothing away
    names.silent = true;
    await later(renter);
    expect(await json(renter, 'domain', 'check', id)).toMatchObject({
      ...{ state: 'verified', found: { problem: 'dns_failed' } },
    });
    names.silent = false;

    names.answers = [];
    await later(renter);
    await cairn(renter, 'domain', 'check', id);
    expect((await view(renter)).domain).toBeNull();
    await cairn(renter, 'domain', 'remove', id);
    expect(await cairn(renter, 'domain', 'show', id)).toMatchObject({ code: 1 });
    const events = await database.sql`
      select name from events where server_id = ${id} and name like 'server.domain%' order by id`;
    expect(events.map(({ name }) => name.replace('server.domain_', ''))).toEqual([
      ...['set', 'verified', 'lost', 'removed'],
    ]);
  }, 40_000);

  it('belongs to one server, until nobody checks it any more', async () => {
    const [one, other] = [await rent(), await rent()];
    names.answers = [];
    const set = (renter: RentedServer) => cairn(renter, 'domain', 'set', renter.id, 'one.example.org');
    expect(await set(one)).toMatchObject({ code: 0 });
    expect(await set(other)).toMatchObject({ code: 1, errors: expect.stringContaining('one.example.org') });
    await database.sql`update server_domains set next_check = null where server_id = ${one.id}`;
    expect(await set(other)).toMatchObject({ code: 0 });
    expect(await cairn(one, 'domain', 'show', one.id)).toMatchObject({ code: 1 });
  });

  it('is checked by a job when it is due, and again when the port of the game changes', async () => {
    const { sql } = database;
    const renter = await rent();
    const port = await gamePort(renter);
    names.answers = [];
    await cairn(renter, 'domain', 'set', renter.id, 'job.example.org');
    names.answers = [srvRecord('job.example.org', port, 'play.example.test')];
    const run = (at = new Date()) =>
      checkDomainsJob.run(
        { sql, now: () => at, settings: parseSettings({ DNS_SERVERS: names.address }) } as JobContext,
        {},
      );
    await run();
    expect((await view(renter)).domain).toBeNull();
    await run(new Date(Date.now() + 3_700_000));
    expect((await view(renter)).domain).toBe('job.example.org');
    await sql`update servers set port = port + 50 where id = ${renter.id}`;
    await run();
    expect((await view(renter)).domain).toBeNull();
  });
});
