import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import SftpClient from 'ssh2-sftp-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { agentStreams } from '../sftp/agent-streams.ts';
import { openSftpServer, type SftpServer } from '../sftp/server.ts';
import { browser, closeClients } from '../testing/clients.ts';
import { type RentedServer, rentServer, startControlPlane, type TestControlPlane } from '../testing/plane.ts';

const database = testDatabase();
const data_dir = mkdtempSync(join(tmpdir(), 'cairn-sftp-'));
let plane: TestControlPlane;
let other: TestControlPlane;
let renter: RentedServer;
let sftp: SftpServer;
let heartbeats: NodeJS.Timeout;
beforeAll(async () => {
  plane = await startControlPlane(database.sql);
  other = await startControlPlane(database.sql);
  for (const { context } of [plane.plane, other.plane])
    Object.assign(context, { settings: { ...context.settings, DATA_DIR: data_dir, SFTP_PORT: 2022 } });
  renter = await rentServer(database.sql, plane.url);
  heartbeats = setInterval(() => renter.runner.sendHeartbeat().catch(() => {}), 1_000);
  // the agent is at one plane, SFTP at the other
  const { context } = other.plane;
  sftp = await openSftpServer(context, agentStreams(context), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  clearInterval(heartbeats);
  closeClients();
  await sftp.close();
  await plane.close();
  await other.close();
  rmSync(data_dir, { recursive: true });
});

it('shows address, user and host key, makes passwords and keeps keys', async () => {
  const { screen, id, owner } = renter;
  const message = { server_id: id };
  expect(await screen.request('sftp.show', message)).toEqual({
    ok: true,
    sftp: {
      ...{ host: 'cairn.test', port: 2022, user: `${owner.username}.${id}`, password: null, keys: [] },
      host_fingerprint: expect.stringMatching(/^SHA256:[\w+/]{43}$/),
    },
  });
  const made = await screen.request('sftp.set_password', message);
  expect(made).toMatchObject({ ok: true, password: expect.stringMatching(/^\w{24}$/) });
  // the password itself is nowhere
  const [row] = await database.sql`select password_hash from sftp_passwords where server_id = ${id}`;
  expect(row!.password_hash).toMatch(/^\$argon2id\$/);
  const shown = await screen.request('sftp.show', message);
  expect(shown).toMatchObject({ sftp: { password: { created: expect.any(String), last_used: null } } });
  expect(JSON.stringify(shown)).not.toContain(made.ok ? made.password : '');

  const key = {
    ...message,
    name: ' My  laptop ',
    public_key: ssh2.utils.generateKeyPairSync('ed25519').public,
  };
  const added = await screen.request('sftp.add_key', key);
  expect(added).toMatchObject({ ok: true, sftp: { keys: [{ name: 'My laptop', last_used: null }] } });
  expect(await screen.request('sftp.add_key', { ...key, public_key: 'x' })).toMatchObject({
    error: 'sftp_key_invalid',
    status: 400,
  });
  expect(await screen.request('sftp.add_key', { ...key, name: ' ' })).toMatchObject({
    error: 'sftp_key_name_length',
  });
  const key_id = added.ok ? added.key_id : '';
  expect(await screen.request('sftp.remove_key', { ...message, key_id })).toMatchObject({
    sftp: { keys: [] },
  });
  expect(await screen.request('sftp.remove_key', { ...message, key_id })).toMatchObject({
    error: 'sftp_key_not_found',
  });
});

it('says that SFTP is off, and nothing about servers of others', async () => {
  const { context } = plane.plane;
  const { settings } = context;
  Object.assign(context, { settings: { ...settings, SFTP_PORT: undefined } });
  expect(await renter.screen.request('sftp.show', { server_id: renter.id })).toMatchObject({
    error: 'sftp_off',
  });
  Object.assign(context, { settings });
  const stranger = await browser(plane.url, { token: await token(database.sql, await user(database.sql)) });
  for (const server_id of [renter.id, 'AABBCCDD'])
    for (const request of ['sftp.show', 'sftp.set_password'] as const)
      expect(await stranger.request(request, { server_id })).toMatchObject({ error: 'server_not_found' });
});

it('moves files by one-time addresses, also when the agent is at another plane', async () => {
  const made = await renter.screen.request('sftp.set_password', { server_id: renter.id });
  const client = new SftpClient('test');
  await client.connect({
    ...{ host: '127.0.0.1', port: sftp.port()!, username: `${renter.owner.username}.${renter.id}` },
    password: made.ok ? made.password : '',
  });
  const bytes = Buffer.alloc(700_000, randomUUID());
  await client.put(bytes, '/world/level.dat');
  const { files } = renter.runner.files;
  await vi.waitFor(() => expect(files.get('world/level.dat')?.equals(bytes)).toBe(true));
  expect(bytes.equals((await client.get('/world/level.dat')) as Buffer)).toBe(true);
  await client.append(Buffer.from('end'), '/world/level.dat');
  expect(files.get('world/level.dat')).toHaveLength(700_003);
  await client.put(Buffer.alloc(0), '/empty');
  expect(files.get('empty')).toHaveLength(0);
  expect((await client.list('/world')).map(({ name, size }) => [name, size])).toEqual([
    ['level.dat', 700_003],
  ]);
  await client.end();
});
