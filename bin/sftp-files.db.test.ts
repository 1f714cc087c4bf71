import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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
  // names of any bytes, as text of Latin-1
  child.stdin.end(Buffer.from(`${commands.join('\n')}\n`, 'latin1'));
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

/** SFTP requests one by one. */
async function rawClient() {
  const client = new ssh2.Client();
  client.connect({
    ...{ host: '127.0.0.1', port: sftp.port()!, username: `${renter.owner.username}.${renter.id}` },
    privateKey: key.private,
  });
  await once(client, 'ready');
  const requests = await new Promise<ssh2.SFTPWrapper>((done, fail) =>
    client.sftp((error, made) => (error ? fail(error) : done(made))),
  );
  const ask = <T>(work: (done: (error: Error | null | undefined, value?: T) => void) => void) =>
    new Promise<T>((done, fail) => work((error, value) => (error ? fail(error) : done(value as T))));
  return { requests, ask, end: () => client.end() };
}
const old_s = 1_000_000_000;
const modifiedOf = (path: string) => statSync(files.path(path)).mtimeMs / 1000;

it('sets the time of a file that was uploaded, and gives it back', async () => {
  const [local, back] = [join(own, 'dated'), join(own, 'dated-back')];
  writeFileSync(local, 'dated');
  utimesSync(local, old_s, old_s);
  expect(await openssh(`put -p ${local} dated`, `get -p dated ${back}`)).toMatchObject({ code: 0 });
  expect([modifiedOf('dated'), statSync(back).mtimeMs / 1000]).toEqual([old_s, old_s]);
});

it.each(['of a file', 'of a folder', 'while it is written', 'while it is written, by its path'] as const)(
  'sets the time %s, and says so in the next answer',
  async (when) => {
    const { requests, ask, end } = await rawClient();
    const path = when.replaceAll(/\W/g, '-');
    if (when === 'of a folder') await ask((done) => requests.mkdir(path, done));
    else {
      const handle = await ask<Buffer>((done) => requests.open(path, 'w', done));
      await ask((done) => requests.write(handle, Buffer.from('x'), 0, 1, 0, done));
      if (when === 'while it is written') {
        await ask((done) => requests.futimes(handle, old_s, old_s, done));
        expect((await ask<ssh2.Stats>((done) => requests.fstat(handle, done))).mtime).toBe(old_s);
      }
      if (when === 'while it is written, by its path')
        await ask((done) => requests.utimes(path, old_s, old_s, done));
      await ask((done) => requests.close(handle, done));
    }
    if (!when.startsWith('while')) await ask((done) => requests.utimes(path, old_s, old_s, done));
    expect((await ask<ssh2.Stats>((done) => requests.stat(path, done))).mtime).toBe(old_s);
    expect(modifiedOf(path)).toBe(old_s);
    end();
  },
);

it('refuses to set the time of what is not there, and of what lies outside', async () => {
  const { requests, ask, end } = await rawClient();
  symlinkSync('/etc/hostname', files.path('to-outside'));
  const before = statSync('/etc/hostname').mtimeMs;
  await ask((done) => requests.utimes('to-outside', old_s, old_s, done));
  expect(statSync('/etc/hostname').mtimeMs).toBe(before);
  await expect(ask((done) => requests.utimes('none', old_s, old_s, done))).rejects.toThrow('No such file');
  await ask((done) => requests.unlink('to-outside', done));
  end();
});

it('reaches files whose names are no UTF-8 by their bytes', async () => {
  const path = (latin1: string) =>
    Buffer.concat([Buffer.from(files.path('odd/')), Buffer.from(latin1, 'latin1')]);
  mkdirSync(files.path('odd'));
  for (const name of ['caf\xe9', 'f\xfcr', 'gone\xff']) writeFileSync(path(name), name);
  const back = join(own, 'cafe');
  const { code } = await openssh(`get odd/caf\xe9 ${back}`, 'rename odd/f\xfcr odd/plain', 'rm odd/gone\xff');
  expect(code).toBe(0);
  expect(readFileSync(back, 'utf8')).toBe('caf\u00e9');
  expect(readdirSync(files.path('odd'), { encoding: 'latin1' }).sort()).toEqual(['caf\xe9', 'plain']);
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
