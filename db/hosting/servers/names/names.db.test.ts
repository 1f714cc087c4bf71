import { describe, expect, it } from 'vitest';
import { actorFor, user } from '../../../testing/builders/build.ts';
import { node, server } from '../../../testing/builders/hosting.ts';
import { testDatabase } from '../../../testing/database.ts';
import { serversById } from '../read.ts';
import { checkSubdomain, dnsRecordsOf, showSubdomain } from './read.ts';
import { changeSubdomain } from './write.ts';
import { zoneText } from './zone.ts';

const database = testDatabase();
const settings = { SERVERS_DOMAIN: 'servers.example.org' };
const zone = { ...settings, SERVERS_NAME_SERVERS: [] as string[] };
const now = new Date('2026-05-01T12:00:00Z');

async function rented({ port = 25_600, address = '192.0.2.7' } = {}) {
  const { sql } = database;
  const owner = await user(sql);
  const id = await server(sql, owner);
  const at = await node(sql, now);
  await sql`update nodes set public_address = ${address} where id = ${at.id}`;
  await sql`update servers set node_id = ${at.id}, port = ${port}, lifecycle = 'ready' where id = ${id}`;
  const actor = actorFor(owner);
  return {
    ...{ id, actor, owner },
    take: (name: string | null, given = settings) =>
      sql.begin((tx) => changeSubdomain(tx, actor, { server_id: id, name }, given, now)),
    check: (name: string) => checkSubdomain(sql, actor, { server_id: id, name }, settings, now),
    show: (given = settings) => showSubdomain(sql, actor, id, given, now),
  };
}

describe('the name of a server', () => {
  it('leads to it, is stored without case, and is free again for others', async () => {
    const [one, two] = [await rented(), await rented()];
    await one.take(' Long-Way ');
    expect(await one.show()).toMatchObject({ domain: 'servers.example.org', subdomain: 'long-way' });
    expect(await two.check('LONG-way')).toBe('subdomain_taken');
    await expect(two.take('long-way')).rejects.toMatchObject({ code: 'subdomain_taken' });
    expect(await one.check('long-way')).toBeNull();
    await one.take('short-way');
    await two.take('long-way');
    await one.take(null);
    expect((await one.show()).subdomain).toBeNull();
    const events = await database.sql`
      select data from events where name = 'server.subdomain_changed' and server_id = ${one.id} order by id`;
    expect(events.map(({ data }) => data)).toEqual([
      { from: null, to: 'long-way' },
      { from: 'long-way', to: 'short-way' },
      { from: 'short-way', to: null },
    ]);
  });

  it('is given to one of two who ask at once', async () => {
    const [one, two] = [await rented(), await rented()];
    const done = await Promise.allSettled([one.take('at-once'), two.take('at-once')]);
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is not that of a node, nor for people without the right', async () => {
    const one = await rented({ address: 'frost.servers.example.org' });
    expect(await one.check('frost')).toBe('subdomain_reserved');
    const { sql } = database;
    const stranger = actorFor(await user(sql));
    const wanted = { server_id: one.id, name: 'other-name' };
    await expect(checkSubdomain(sql, stranger, wanted, settings, now)).rejects.toMatchObject({
      code: 'server_not_found',
    });
    const viewer = await user(sql);
    await sql`
      insert into server_members (server_id, user_id, role, rights, accepted)
      values (${one.id}, ${viewer.id}, 'viewer', '{}', now())`;
    await expect(
      sql.begin((tx) => changeSubdomain(tx, actorFor(viewer), wanted, settings, now)),
    ).rejects.toMatchObject({ code: 'server_right_missing' });
    expect(await showSubdomain(sql, actorFor(viewer), one.id, settings, now)).toMatchObject({
      subdomain: null,
    });
  });

  it('is not offered without a domain', async () => {
    const one = await rented();
    await one.take('hidden-one');
    expect(await one.show({ SERVERS_DOMAIN: undefined } as never)).toEqual({
      ...{ domain: null, subdomain: null, records: [] },
    });
    await expect(one.take('other-one', {} as never)).rejects.toMatchObject({ code: 'subdomains_off' });
  });

  it('has records once it is on a node', async () => {
    const one = await rented();
    await one.take('with-records');
    const [record] = await serversById(database.sql, [one.id], now);
    expect(dnsRecordsOf(record!, settings)).toHaveLength(2);
    await database.sql`update servers set node_id = null, port = null where id = ${one.id}`;
    expect((await one.show()).records).toEqual([]);
  });
});

it('writes a zone of all names, with a serial that grows with each change only', async () => {
  const { sql } = database;
  await sql`delete from server_subdomains`;
  const one = await rented({ port: 25_601 });
  const two = await rented({ address: 'play.example.net' });
  await one.take('first-one');
  await two.take('second-one');
  expect(await zoneText(sql, zone, now)).toBe(
    `; Servers with a name below servers.example.org. Made by Cairn: changes to this text are lost.
$ORIGIN servers.example.org.
$TTL 300
first-one.servers.example.org. IN A 192.0.2.7
_minecraft._tcp.first-one.servers.example.org. IN SRV 0 5 25601 first-one.servers.example.org.
second-one.servers.example.org. IN CNAME play.example.net.
_minecraft._tcp.second-one.servers.example.org. IN SRV 0 5 25600 play.example.net.
`,
  );
  const whole = { ...zone, SERVERS_NAME_SERVERS: ['ns1.example.org', 'ns2.example.org'] };
  const serial = async (at: Date) => Number(/ SOA \S+ \S+ (\d+) /.exec(await zoneText(sql, whole, at))?.[1]);
  const first = await serial(now);
  expect(first).toBe(now.getTime() / 1000);
  expect(await serial(new Date(now.getTime() + 60_000))).toBe(first);
  await two.take('third-one');
  expect(await serial(now)).toBe(first + 1);
});
