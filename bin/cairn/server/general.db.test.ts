import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeZone } from '#control/jobs/write-zone.ts';
import { rentServer, testControlPlane } from '#control/testing/plane.ts';
import { pngSize } from '#db/hosting/servers/icon/rules.ts';
import { iconOf as storedIcon } from '#db/hosting/servers/icon/stored.ts';
import { serverView } from '#db/hosting/servers/read.ts';
import { actorFor, token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);
const cairn = serverCommand(plane);
const folder = mkdtempSync(join(tmpdir(), 'cairn-general-'));
const zone_file = join(folder, 'servers.zone');
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() =>
  Object.assign(plane.plane.context.settings, {
    SERVERS_DOMAIN: 'servers.example.org',
    SERVERS_ZONE_FILE: zone_file,
  }),
);

const iconOf = ({ runner }: Awaited<ReturnType<typeof rent>>) => runner.files.files.get('server-icon.png');

describe('cairn server icon', () => {
  it('makes the icon of a picture of any size, and gives it back', async () => {
    const renter = await rent();
    const picture = join(folder, 'wide.webp');
    await sharp({ create: { width: 300, height: 120, channels: 3, background: '#c40' } }).toFile(picture);
    expect(await cairn(renter, 'icon', 'set', renter.id, picture)).toMatchObject({ code: 0 });
    expect(pngSize(iconOf(renter)!)).toEqual({ width: 64, height: 64 });
    const to = join(folder, 'back.png');
    await cairn(renter, 'icon', 'get', renter.id, to);
    expect(readFileSync(to)).toEqual(iconOf(renter));
    expect(await cairn(renter, 'icon', 'get', renter.id, to)).toMatchObject({ code: 1 });
    // lists and headers show it without its node, to those who see the server
    const actor = actorFor(renter.owner);
    const shown = () => serverView(database.sql, actor, renter.id, new Date());
    expect((await shown()).icon).toMatch(/^[0-9a-f]{16}$/);
    expect(await storedIcon(database.sql, actor, renter.id, new Date())).toEqual(iconOf(renter));
    const stranger = actorFor(await user(database.sql));
    await expect(storedIcon(database.sql, stranger, renter.id, new Date())).rejects.toMatchObject({
      code: 'server_not_found',
    });
    // it was deleted in some other way
    renter.runner.files.files.delete('server-icon.png');
    await renter.screen.request('icon.show', { server_id: renter.id });
    expect((await shown()).icon).toBeNull();
    await expect(storedIcon(database.sql, actor, renter.id, new Date())).rejects.toMatchObject({
      code: 'not_found',
    });
    const [event] = await database.sql`
      select actor_id from events where name = 'server.icon_changed' and server_id = ${renter.id}`;
    expect(event).toMatchObject({ actor_id: renter.owner.id });
  });

  it('refuses what is no picture, and a PNG of another size, and writes nothing', async () => {
    const renter = await rent();
    const text = join(folder, 'text.png');
    writeFileSync(text, 'no picture');
    expect(await cairn(renter, 'icon', 'set', renter.id, text)).toMatchObject({ code: 1 });
    const wide = await sharp({ create: { width: 65, height: 64, channels: 3, background: '#c40' } })
      .png()
      .toBuffer();
    const message = { server_id: renter.id, png: wide.toString('base64'), etag: '' };
    expect(await renter.screen.request('icon.change', message)).toMatchObject({
      error: 'server_icon_invalid',
    });
    expect(iconOf(renter)).toBeUndefined();
  });

  it('does not overwrite what somebody else put there meanwhile', async () => {
    const renter = await rent();
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c40' } })
      .png()
      .toBuffer();
    renter.runner.files.files.set('server-icon.png', Buffer.from('other'));
    const message = { server_id: renter.id, png: png.toString('base64'), etag: '' };
    expect(await renter.screen.request('icon.change', message)).toMatchObject({ error: 'file_changed' });
    expect(await renter.screen.request('icon.show', { server_id: renter.id })).toMatchObject({ png: null });
  });
});

describe('cairn server subdomain', () => {
  it('sets, checks and removes the name, and administrators get the zone', async () => {
    const [renter, other] = [await rent(), await rent()];
    expect((await cairn(renter, 'subdomain', 'set', renter.id, 'Quiet-Hill')).out).toContain(
      'quiet-hill.servers.example.org',
    );
    expect(await cairn(other, 'subdomain', 'check', other.id, 'quiet-hill')).toMatchObject({
      out: 'subdomain_taken',
    });
    process.exitCode = 0;
    expect(await cairn(other, 'subdomain', 'set', other.id, 'hi')).toMatchObject({ code: 1 });
    const shown = JSON.parse((await cairn(renter, 'subdomain', 'show', renter.id, '--json')).out);
    expect(shown.records.at(-1)).toMatchObject({
      type: 'SRV',
      name: '_minecraft._tcp.quiet-hill.servers.example.org',
    });
    expect((await cairn(renter, 'dns')).code).not.toBe(0);
    const admin = await user(database.sql, { role: 'admin' });
    const zone = await cairn({ key: await token(database.sql, admin) }, 'dns');
    expect(zone.out).toContain('\n_minecraft._tcp.quiet-hill.servers.example.org. IN SRV 0 5 ');

    // the job writes the same text, once for each change
    const { settings, now } = plane.plane.context;
    const run = () => writeZone.run({ sql: database.sql, settings, now } as never, {});
    expect(await run()).toMatchObject({ bytes: expect.any(Number) });
    expect(await run()).toBeUndefined();
    expect(readFileSync(zone_file, 'utf8').trimEnd()).toBe(zone.out);
    await cairn(renter, 'subdomain', 'remove', renter.id);
    await run();
    expect(readFileSync(zone_file, 'utf8')).not.toContain('quiet-hill');
  });

  it('renames', async () => {
    const renter = await rent();
    expect((await cairn(renter, 'rename', renter.id, 'Two Rivers')).out).toContain('Two Rivers');
  });
});

describe('cairn server debug-bundle', () => {
  it('explains the state without secrets', async () => {
    const renter = await rent();
    renter.runner.files.files.set(
      'server.properties',
      Buffer.from('rcon.password=seven-stones\nmotd=Hello ada@example.org\nmax-players=7\n'),
    );
    await cairn(renter, 'startup', 'set', renter.id, '--flags=-XX:+UseZGC');
    const { out } = await cairn(renter, 'debug-bundle', renter.id);
    expect(out).toContain(`"id": "${renter.id}"`);
    expect(out).toContain('max-players=7');
    expect(out).toContain('rcon.password=<removed>');
    expect(out).toContain('motd=Hello <e-mail>');
    expect(out).toMatch(/ server\.startup_changed, by owner: /);
    expect(out).toContain('== Console, last lines ==');
    for (const secret of ['seven-stones', 'ada@example.org', renter.owner.username, renter.key])
      expect(out).not.toContain(secret);
    const file = join(folder, 'bundle.txt');
    await cairn(renter, 'debug-bundle', renter.id, '--output', file);
    expect(readFileSync(file, 'utf8')).toContain('== Server ==');
    expect(await cairn(renter, 'debug-bundle', renter.id, '--output', file)).toMatchObject({ code: 1 });
  });

  it('says what it has not got while the node is away', async () => {
    const renter = await rent();
    await database.sql`update servers set node_id = null, port = null where id = ${renter.id}`;
    const { out } = await cairn(renter, 'debug-bundle', renter.id);
    expect(out).toMatch(/== Properties ==\n\(not available: \w+\)/);
    expect(out).toContain('== Events of the last 7 days');
  });
});
