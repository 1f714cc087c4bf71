import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { filesFixture } from '#agents/testing/files.ts';
import { agentStreams } from '#control/sftp/agent-streams.ts';
import { openSftpServer, type SftpServer } from '#control/sftp/server.ts';
import { closeClients } from '#control/testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  startControlPlane,
  type TestControlPlane,
} from '#control/testing/plane.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommands } from './cairn/server.ts';

/** OpenSSH's `sftp` against a control plane and the code of agents that walks, writes and keeps files. */
const database = testDatabase();
const own = mkdtempSync(join(tmpdir(), 'cairn-sftp-files-'));
const key = ssh2.utils.generateKeyPairSync('ed25519');
let files: Awaited<ReturnType<typeof filesFixture>>;
let plane: TestControlPlane;
let renter: RentedServer;
let sftp: SftpServer;
let heartbeats: NodeJS.Timeout;

beforeAll(async () => {
  files = await filesFixture({ disk_mb: 24 });
  plane = await startControlPlane(database.sql);
  const { context } = plane.plane;
  Object.assign(context, { settings: { ...context.settings, DATA_DIR: own, SFTP_PORT: 2022 } });
  renter = await rentServer(database.sql, plane.url);
  const { runner, id, screen } = renter;
  heartbeats = setInterval(() => runner.sendHeartbeat().catch(() => {}), 1_000);
  Object.assign(files.context, { url: () => plane.url });
  runner.socket.off('files.query').on('files.query', async ({ query, args }, ack) => {
    ack(await files.ask(query, args));
  });
  runner.answerOperation = ({ op_id, kind, args }) => {
    void files
      .perform(kind as never, args)
      .then((ended) => runner.report('operation.ended', id, { op_id, ...ended }));
    return { status: 'accepted' };
  };
  await screen.request('sftp.add_key', { server_id: id, name: 'Test', public_key: key.public });
  writeFileSync(join(own, 'key'), key.private, { mode: 0o600 });
  sftp = await openSftpServer(context, agentStreams(context), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  clearInterval(heartbeats);
  closeClients();
  await sftp.close();
  await plane.close();
  await files.end();
  rmSync(own, { recursive: true });
});

/** Runs these commands; gives how it ended and everything that was printed. */
async function openssh(...commands: string[]): Promise<{ code: number; output: string }> {
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=no', `UserKnownHostsFile=${join(own, 'known')}`];
  const flags = ['-F', '/dev/null', ...options.flatMap((option) => ['-o', option])];
  const target = `${renter.owner.username}.${renter.id}@127.0.0.1`;
  const port = String(sftp.port());
  const child = spawn('sftp', [...flags, '-i', join(own, 'key'), '-P', port, '-b', '-', target]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  child.stdin.end(`${commands.join('\n')}\n`);
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
/** What a command of `cairn server sftp` prints. */
async function cairn(...args: string[]): Promise<string> {
  const program = new Command().exitOverride();
  serverCommands(program);
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const flags = ['--url', plane.url, '--token', renter.key];
  await program.parseAsync(['node', 'cairn', 'server', ...flags, 'sftp', ...args]);
  const lines = printed.mock.calls.map(([line]) => String(line));
  printed.mockRestore();
  return lines.join('\n');
}
const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

it('uploads, resumes, downloads, renames and deletes into the trash', async () => {
  const [world, back] = [join(own, 'world'), join(own, 'back')];
  writeFileSync(world, randomBytes(4_000_000));
  const first = await openssh(
    'mkdir world',
    `put ${world} world/level.dat`,
    'rename world/level.dat world/level.old',
    'ls -l world',
    `get world/level.old ${back}`,
  );
  expect(first).toMatchObject({ code: 0 });
  expect(first.output).toMatch(/4000000.*level\.old/);
  expect([hash(files.path('world/level.old')), hash(back)]).toEqual([hash(world), hash(world)]);

  writeFileSync(world, Buffer.concat([readFileSync(world), Buffer.from('more')]));
  expect(await openssh(`reput ${world} world/level.old`)).toMatchObject({ code: 0 });
  expect(hash(files.path('world/level.old'))).toBe(hash(world));
  // again over what is there
  writeFileSync(world, 'short');
  expect(await openssh(`put ${world} world/level.old`)).toMatchObject({ code: 0 });
  expect(readFileSync(files.path('world/level.old'), 'utf8')).toBe('short');

  expect((await openssh('rmdir world')).code).not.toBe(0);
  expect(await openssh('rm world/level.old', 'rmdir world')).toMatchObject({ code: 0 });
  expect(readdirSync(files.folder).filter((name) => !name.startsWith('.'))).toEqual([]);
  const { items } = await files.get('trash', {});
  expect(items.map(({ path }) => path).sort()).toEqual(['world', 'world/level.old']);
});

it('stays in the folder and follows no link', async () => {
  symlinkSync('/etc', files.path('etc'));
  const secret = join(own, 'secret');
  for (const path of ['etc/hostname', '../../../../etc/hostname', '/etc/hostname', 'etc']) {
    const { code, output } = await openssh(`get ${path} ${secret}`);
    expect([path, code]).not.toEqual([path, 0]);
    expect(output).not.toContain('100%');
  }
  expect(readdirSync(own)).not.toContain('secret');
});

it('ends at the disk limit', async () => {
  const large = join(own, 'large');
  writeFileSync(large, Buffer.alloc(36_000_000));
  const full = await openssh(`put ${large} large`);
  expect(full.code).not.toBe(0);
  expect(readdirSync(files.folder)).not.toContain('large');
  expect(await openssh('ls -l')).toMatchObject({ code: 0 });
});

it('is set up by commands', async () => {
  const user = `${renter.owner.username}.${renter.id}`;
  expect(await cairn('show', renter.id)).toContain(`sftp -P 2022 ${user}@cairn.test`);
  expect(await cairn('password', renter.id)).toMatch(/^\w{24}$/);
  expect(JSON.parse(await cairn('password', renter.id, '--json'))).toMatchObject({
    ...{ host: 'cairn.test', port: 2022, user, password: { last_used: null } },
    new_password: expect.stringMatching(/^\w{24}$/),
  });
  const file = join(own, 'id.pub');
  writeFileSync(file, ssh2.utils.generateKeyPairSync('ed25519').public);
  const added = JSON.parse(await cairn('key', 'add', renter.id, file, '--name', 'Build', '--json'));
  expect(added).toMatchObject({ name: 'Build', fingerprint: expect.stringMatching(/^SHA256:/) });
  const left = JSON.parse(await cairn('key', 'remove', renter.id, added.id, '--json'));
  expect(left.map(({ name }: { name: string }) => name)).toEqual(['Test']);
  await expect(cairn('key', 'add', renter.id, join(own, 'key'), '--name', 'x')).rejects.toThrow(
    'private key',
  );
  await expect(cairn('key', 'add', renter.id, join(own, 'none'), '--name', 'x')).rejects.toThrow(
    'can’t be read',
  );
  await expect(cairn('show', 'AABBCCDD')).rejects.toThrow('That server doesn’t exist.');
});
