import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type Client, type SFTPWrapper } from 'ssh2';
import SftpClient from 'ssh2-sftp-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { removePerson } from '#db/hosting/servers/people/write.ts';
import {
  addSftpKey,
  newSftpPassword,
  removeSftpKey,
  setSftpPassword,
} from '#db/hosting/servers/sftp/write.ts';
import { resumeServer, suspendServer } from '#db/hosting/servers/write.ts';
import { operator } from '#db/platform/people/rules.ts';
import { restoreUser, suspendUser } from '#db/platform/people/suspend.ts';
import { actorFor, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { closeClients } from '../testing/clients.ts';
import { type FolderAgent, folderAgent } from '../testing/folder-agent.ts';
import { type RentedServer, rentServer, startControlPlane, type TestControlPlane } from '../testing/plane.ts';
import { openSftpServer, type SftpServer } from './server.ts';

const database = testDatabase();
const own = mkdtempSync(join(tmpdir(), 'cairn-sftp-'));
const folder = join(own, 'server');
const data_dir = join(own, 'data');
let plane: TestControlPlane;
let renter: RentedServer;
let agent: FolderAgent;
let sftp: SftpServer;
let port: number;
let password: string;
let heartbeats: NodeJS.Timeout;
const key = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'me@home' });

const now = () => new Date();
const owner = () => actorFor(renter.owner);
const username = () => `${renter.owner.username}.${renter.id}`;
const at = (path: string) => join(folder, path);
const content = (path: string) => readFileSync(at(path), 'utf8');
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function newPassword(who = owner(), server_id = renter.id): Promise<string> {
  const made = await newSftpPassword();
  await database.sql.begin((tx) => setSftpPassword(tx, who, { server_id, hash: made.hash }, now()));
  return made.password;
}
const newKey = (public_key = key.public) =>
  database.sql.begin((tx) =>
    addSftpKey(tx, owner(), { server_id: renter.id, name: 'Laptop', public_key }, now()),
  );

beforeAll(async () => {
  mkdirSync(folder);
  plane = await startControlPlane(database.sql);
  const { context } = plane.plane;
  Object.assign(context, { settings: { ...context.settings, DATA_DIR: data_dir, SFTP_PORT: 2022 } });
  renter = await rentServer(database.sql, plane.url);
  agent = folderAgent(renter.runner, folder);
  heartbeats = setInterval(() => renter.runner.sendHeartbeat().catch(() => {}), 1_000);
  sftp = await openSftpServer(context, agent.streams, { host: '127.0.0.1', port: 0 });
  port = sftp.port()!;
  password = await newPassword();
  await newKey();
  writeFileSync(join(own, 'key'), key.private, { mode: 0o600 });
});
afterAll(async () => {
  clearInterval(heartbeats);
  closeClients();
  await sftp.close();
  await plane.close();
  rmSync(own, { recursive: true });
});

const opened: SftpClient[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) socketOf(one)?.destroy();
});
const socketOf = (from: SftpClient) => (from as unknown as { client: { _sock: Socket } }).client._sock;

/** A connected npm client. */
async function client(given: object = {}): Promise<SftpClient> {
  const made = new SftpClient('test', { error: () => {}, end: () => {}, close: () => {} });
  opened.push(made);
  await made.connect({ host: '127.0.0.1', port, username: username(), password, ...given });
  return made;
}

/** What is below ssh2-sftp-client, for requests that it does not make. */
const raw = (from: SftpClient) => (from as unknown as { sftp: SFTPWrapper }).sftp;

/** Runs OpenSSH's sftp with these commands; gives how it ended and everything it printed. */
async function openssh(...commands: string[]): Promise<{ code: number; output: string }> {
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=no', `UserKnownHostsFile=${join(own, 'known')}`];
  const flags = options.flatMap((option) => ['-o', option]);
  const child = spawn('sftp', [
    ...['-F', '/dev/null', ...flags, '-i', join(own, 'key'), '-P', String(port), '-b', '-'],
    `${username()}@127.0.0.1`,
  ]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  child.stdin.end(`${commands.join('\n')}\n`);
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

describe.runIf(existsSync('/usr/bin/sftp'))('OpenSSH', () => {
  it('lists, uploads, downloads, renames and deletes', async () => {
    const bytes = randomBytes(3_000_000);
    writeFileSync(join(own, 'world.bin'), bytes);
    const first = await openssh(
      'mkdir world',
      'cd world',
      `put ${join(own, 'world.bin')} level.dat`,
      'rename level.dat level.old',
      `get level.old ${join(own, 'back.bin')}`,
      'ls -l',
      'pwd',
    );
    expect(first).toMatchObject({ code: 0 });
    expect(first.output).toMatch(/-rw-r--r--.*3000000.*level\.old/);
    expect(first.output).toContain('Remote working directory: /world');
    expect(hash(readFileSync(at('world/level.old')))).toBe(hash(bytes));
    expect(hash(readFileSync(join(own, 'back.bin')))).toBe(hash(bytes));

    expect((await openssh('rmdir world')).code).not.toBe(0); // not empty
    expect((await openssh('rm world/level.old', 'rmdir world')).code).toBe(0);
    expect(existsSync(at('world'))).toBe(false);
    expect(agent.trash).toEqual(['world/level.old', 'world']);
  });

  it('replaces a file whole, and resumes one', async () => {
    writeFileSync(at('server.properties'), 'motd=old\nlonger=yes\n');
    writeFileSync(join(own, 'short'), 'motd=new\n');
    expect((await openssh(`put ${join(own, 'short')} server.properties`)).code).toBe(0);
    expect(content('server.properties')).toBe('motd=new\n');
    writeFileSync(join(own, 'long'), 'motd=new\nmore=1\n');
    expect((await openssh(`reput ${join(own, 'long')} server.properties`)).code).toBe(0);
    expect(content('server.properties')).toBe('motd=new\nmore=1\n');
    writeFileSync(join(own, 'partial'), 'motd');
    expect((await openssh(`reget server.properties ${join(own, 'partial')}`)).code).toBe(0);
    expect(readFileSync(join(own, 'partial'), 'utf8')).toBe('motd=new\nmore=1\n');
  });

  it('is refused a shell, commands and tunnels', async () => {
    const ssh = async (...args: string[]) => {
      const flags = ['-F', '/dev/null', '-o', 'BatchMode=yes', '-o', 'StrictHostKeyChecking=no'];
      const known = ['-o', `UserKnownHostsFile=${join(own, 'known')}`];
      const target = [
        ...flags,
        ...known,
        '-i',
        join(own, 'key'),
        '-p',
        String(port),
        `${username()}@127.0.0.1`,
      ];
      const child = spawn('ssh', [...target, ...args], { stdio: 'ignore' });
      return ((await once(child, 'close')) as [number])[0];
    };
    expect(await ssh('cat /etc/passwd')).not.toBe(0);
    expect(await ssh('-W', 'localhost:22')).not.toBe(0);
  });
});

describe('an npm client', () => {
  it('uploads and downloads whole folders', async () => {
    const from = join(own, 'pack');
    mkdirSync(join(from, 'config/deep'), { recursive: true });
    for (let i = 0; i < 30; i++) writeFileSync(join(from, `config/${i}.toml`), `number = ${i}\n`);
    writeFileSync(join(from, 'config/deep/empty'), '');
    const one = await client();
    await one.uploadDir(from, '/pack');
    expect(readdirSync(at('pack/config'))).toHaveLength(31);
    expect(statSync(at('pack/config/deep/empty')).size).toBe(0);
    await one.downloadDir('/pack', join(own, 'pack-back'));
    expect(readFileSync(join(own, 'pack-back/config/7.toml'), 'utf8')).toBe('number = 7\n');
    await one.rmdir('/pack', true);
    expect(existsSync(at('pack'))).toBe(false);
  });

  it('writes pieces out of order with many at once', async () => {
    const bytes = randomBytes(5_000_000);
    writeFileSync(join(own, 'fast'), bytes);
    const one = await client();
    await one.fastPut(join(own, 'fast'), '/fast');
    expect(hash(readFileSync(at('fast')))).toBe(hash(bytes));
    await one.fastGet('/fast', join(own, 'fast-back'));
    expect(hash(readFileSync(join(own, 'fast-back')))).toBe(hash(bytes));
    // one stream for the whole file, not one for every piece
    expect(agent.asked.filter((line) => line.startsWith('read fast'))).toEqual(['read fast 0']);
  });

  it('reads anywhere, appends, cuts and replaces by renaming', async () => {
    const one = await client();
    await one.put(Buffer.from('0123456789'), '/digits');
    const handle = await open(one, '/digits', 'r');
    expect(await read(one, handle, 7, 3)).toBe('789');
    expect(await read(one, handle, 2, 3)).toBe('234');
    expect(await read(one, handle, 8, 100)).toBe('89');
    await expect(read(one, handle, 10, 5)).resolves.toBe('');
    await one.append(Buffer.from('ab'), '/digits');
    expect(content('digits')).toBe('0123456789ab');
    await setSize(one, '/digits', 4);
    expect(content('digits')).toBe('0123');
    await one.put(Buffer.from('other'), '/other');
    await expect(one.rename('/other', '/digits')).rejects.toThrow();
    await one.posixRename('/other', '/digits');
    expect(content('digits')).toBe('other');
  });

  it('lists a folder of 1,200 entries in bounded pages', async () => {
    mkdirSync(at('many'));
    for (let i = 0; i < 1_200; i++) writeFileSync(at(`many/${String(i).padStart(4, '0')}`), '');
    const names = (await (await client()).list('/many')).map(({ name }) => name);
    expect(names.sort()).toEqual(readdirSync(at('many')).sort());
    expect(agent.asked.filter((line) => line.startsWith('list many'))).toEqual([
      'list many 0',
      'list many 500',
      'list many 1000',
    ]);
  });

  it('says what is wrong, and goes on', async () => {
    const one = await client();
    await expect(one.get('/nowhere')).rejects.toThrow('No such file');
    await one.mkdir('/taken');
    await expect(one.get('/taken')).rejects.toThrow(/folder/);
    const handle = await open(one, '/back', 'w');
    await write(one, handle, 0, 'abc');
    await expect(write(one, handle, 1, 'x')).rejects.toThrow('from their start to their end');
    await expect(closed(one, handle)).rejects.toThrow('from their start to their end');
    expect(existsSync(at('back'))).toBe(false);
    await expect(one.put(Buffer.from('x'), `/${'n'.repeat(256)}`)).rejects.toThrow('255 bytes');
    await expect(one.put(Buffer.from('x'), '/a\0b')).rejects.toThrow('NUL');
    symlinkSync('/etc/hostname', at('link'));
    await expect(one.get('/link')).rejects.toThrow(/Links/);
    expect((await one.list('/')).find(({ name }) => name === 'link')?.type).toBe('l');
    expect(await one.exists('/digits')).toBe('-');
  });

  it('keeps a new file that broke off, and the old one of those that were there', async () => {
    writeFileSync(at('kept'), 'whole');
    const one = await client();
    const [replaced, fresh] = [await open(one, '/kept', 'w'), await open(one, '/fresh', 'w')];
    for (const handle of [replaced, fresh]) await write(one, handle, 0, 'half');
    socketOf(one).destroy();
    await vi.waitFor(() => expect(content('fresh')).toBe('half'));
    expect(content('kept')).toBe('whole');
    await vi.waitFor(() =>
      expect(readdirSync(folder).filter((name) => name.startsWith('.upload'))).toEqual([]),
    );
  });
});

describe('a client with bad intentions', () => {
  it('stays inside the folder of the server', async () => {
    writeFileSync(join(own, 'secret'), 'secret');
    const one = await client();
    const outside = ['/../secret', '../secret', '/world/../../secret', `${own}/secret`, '//../..//secret'];
    for (const path of outside) await expect(one.get(path)).rejects.toThrow('No such file');
    expect(await one.realPath('/../../..')).toBe('/');
    await one.put(Buffer.from('mine'), '/../secret');
    expect(readFileSync(join(own, 'secret'), 'utf8')).toBe('secret');
    expect(content('secret')).toBe('mine');
    await expect(symlink(one, '/etc', '/etc-link')).rejects.toThrow(/support/);
    await expect(one.rmdir('/')).rejects.toThrow('stays');
  });

  it('has 64 of 2,000 handles, and the connection goes on', async () => {
    const one = await client();
    const before = agent.asked.length;
    const results = await Promise.allSettled(Array.from({ length: 2_000 }, () => open(one, '/digits', 'r')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
    const reasons = new Set(
      results.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : [])),
    );
    expect([...reasons]).toEqual([expect.stringContaining('At most 64 files and folders')]);
    // those that are refused do not reach the agent
    expect(agent.asked.length - before).toBe(64);
    const [first] = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await closed(one, first!);
    expect(await one.get('/digits')).toBeInstanceOf(Buffer);
  });

  it('that asks and never reads holds a bounded part of the memory', async () => {
    writeFileSync(at('large'), Buffer.alloc(60_000_000));
    const one = await client();
    const handle = await open(one, '/large', 'r');
    const before = agent.read_bytes();
    socketOf(one).pause();
    for (let i = 0; i < 1_800; i++) void read(one, handle, i * 32_768, 32_768).catch(() => {});
    await vi.waitFor(() => expect(agent.read_bytes() - before).toBeGreaterThan(2_000_000), 10_000);
    // other connections are served meanwhile
    const other = await client();
    for (let i = 0; i < 20; i++) expect(await other.exists('/large')).toBe('-');
    // of 60 MB: what is on its way to the client, and the answers that wait
    expect(agent.read_bytes() - before).toBeLessThan(12_000_000);
  });

  it('is cut off for packets that are none', async () => {
    for (const bytes of [
      Buffer.from('ffffffff0000', 'hex'),
      Buffer.from('00000000', 'hex'),
      randomBytes(5_000),
    ]) {
      const made = await connected();
      const ended = once(made, 'close');
      made.subsys('sftp', (_error, channel) => channel.write(bytes));
      setTimeout(() => made.end(), 300);
      await ended;
    }
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    socket.write(randomBytes(100_000));
    await once(socket, 'close');
    expect(await (await client()).exists('/')).toBe('d');
  });
});

describe('signing in', () => {
  const refused = 'All configured authentication methods failed';

  it('is refused alike for wrong passwords, unknown names and servers that are not one’s own', async () => {
    const stranger = await user(database.sql);
    const names = [username(), `${renter.owner.username}.AABBCCDD`, `nobody.${renter.id}`, 'nonsense', ''];
    for (const name of [...names, `${stranger.username}.${renter.id}`])
      await expect(client({ username: name, password: 'wrong' })).rejects.toThrow(refused);
    // a row that no rule allows: the rule is asked, not the row
    const made = await newSftpPassword();
    await database.sql`insert into sftp_passwords ${database.sql({ user_id: stranger.id, server_id: renter.id, password_hash: made.hash })}`;
    await expect(
      client({ username: `${stranger.username}.${renter.id}`, password: made.password }),
    ).rejects.toThrow(refused);
    await expect(setSftp(stranger)).rejects.toThrow('That server doesn’t exist.');
  });

  it('works with a key, and not with another one or a forged signature', async () => {
    const one = await client({ password: undefined, privateKey: key.private });
    expect(await one.exists('/')).toBe('d');
    const other = ssh2.utils.generateKeyPairSync('ed25519');
    await expect(client({ password: undefined, privateKey: other.private })).rejects.toThrow(refused);
    const [row] = await database.sql`select last_used from sftp_keys where server_id = ${renter.id}`;
    expect(row!.last_used).not.toBeNull();
    const events = await database.sql`
      select name, data from events where server_id = ${renter.id} and name like 'server.sftp%' order by id`;
    expect(events.map(({ name, data }) => [name, data])).toContainEqual([
      'server.sftp_opened',
      { by: 'key' },
    ]);
    expect(events.filter(({ data }) => data.by === 'key')).toHaveLength(1);
  });

  it('refuses what is no public key, with a reason', async () => {
    const why = (text: string) =>
      newKey(text).then(
        () => null,
        (error: Error) => error.message,
      );
    expect(await why(key.private)).toContain('private key');
    expect(await why('ssh-dss AAAA')).toContain('DSA is too weak');
    expect(await why('hello')).toContain('it must begin with ssh-ed25519');
    expect(await why(key.public.slice(0, 60))).toContain('cut off');
    expect(await why(ssh2.utils.generateKeyPairSync('rsa', { bits: 1024 }).public)).toContain(
      'at least 2048 bits',
    );
    for (const [type, bits] of [
      ['rsa', 2048],
      ['ecdsa', 256],
    ] as const)
      expect(await why(ssh2.utils.generateKeyPairSync(type, { bits } as never).public)).toBeNull();
  });

  it('is possible with eight connections at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 9 }, () => client()));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
    await opened.shift()?.end();
    await vi.waitFor(() => client());
  });
});

describe('a right that is taken away', () => {
  /** Ends within a second for a client in the middle of a download, and cannot sign in again. */
  const endsWith = async (take: () => Promise<unknown>, give: () => Promise<unknown>, given: object = {}) => {
    const one = await client(given);
    const handle = await open(one, '/digits', 'r');
    const ended = once((one as unknown as { client: Client }).client, 'close');
    await take();
    await expect(read(one, handle, 0, 5).then(() => one.list('/'))).rejects.toThrow();
    await ended;
    await expect(client(given)).rejects.toThrow();
    await give();
    const again = await vi.waitFor(() => client(given));
    expect(await again.exists('/digits')).toBe('-');
  };
  const sql = () => database.sql;

  it('ends open connections: a new password', async () => {
    const one = await client();
    const ended = once((one as unknown as { client: Client }).client, 'close');
    const old = password;
    password = await newPassword();
    await ended;
    await expect(client({ password: old })).rejects.toThrow();
    expect(await (await client()).exists('/')).toBe('d');
  });

  it('ends open connections: a removed key', async () => {
    const [row] = await sql()`select id from sftp_keys where public_key like 'ssh-ed25519%'`;
    const removed = { server_id: renter.id, key_id: row!.id };
    await endsWith(
      () => sql().begin((tx) => removeSftpKey(tx, owner(), removed, now())),
      () => newKey(),
      { password: undefined, privateKey: key.private },
    );
  });

  it('ends open connections: a suspended server and account', async () => {
    await endsWith(
      () => sql().begin((tx) => suspendServer(tx, renter.id, 'moderated')),
      () => sql().begin((tx) => resumeServer(tx, renter.id)),
    );
    const until = null;
    await endsWith(
      () =>
        sql().begin((tx) => suspendUser(tx, operator, renter.owner.id, { reason: 'x', until, now: now() })),
      async () => {
        await sql().begin((tx) => restoreUser(tx, operator, renter.owner.id, now()));
        // what was given out before does not come back
        await expect(client()).rejects.toThrow();
        password = await newPassword();
        await newKey();
      },
    );
  });

  it('is not given by a role: an administrator gets no password, and one of an earlier time does not work', async () => {
    const admin = await user(sql(), { role: 'admin' });
    const asked = newPassword(actorFor(admin, { role: 'admin' }));
    await expect(asked).rejects.toMatchObject({ code: 'sftp_members_only' });
    const { password: secret, hash: password_hash } = await newSftpPassword();
    const row = { user_id: admin.id, server_id: renter.id, password_hash, created: now() };
    await sql()`insert into sftp_passwords ${sql()(row)}`;
    const given = { username: `${admin.username}.${renter.id}`, password: secret };
    await expect(client(given)).rejects.toThrow();
  });

  it('ends open connections: a person who is removed from the server, or loses the right to files', async () => {
    const guest = await user(sql());
    const join = () => sql()`
      insert into server_members (server_id, user_id, role, rights, accepted)
      values (${renter.id}, ${guest.id}, 'editor', '{files}', now())`;
    await join();
    const secret = await newPassword(actorFor(guest));
    const given = { username: `${guest.username}.${renter.id}`, password: secret };
    const rights = (names: string[]) => () =>
      sql()`update server_members set rights = ${names} where user_id = ${guest.id}`;
    await endsWith(rights(['console']), rights(['files']), given);
    const one = await client(given);
    const ended = once((one as unknown as { client: Client }).client, 'close');
    const person = { server_id: renter.id, user_id: guest.id };
    await sql().begin((tx) => removePerson(tx, owner(), person, now()));
    await ended;
    await join();
    await expect(client(given), 'the password of an earlier stay').rejects.toThrow();
  });

  it('leaves other connections alone', async () => {
    const one = await client();
    await sql().begin((tx) =>
      suspendServer(tx, renter.id, 'moderated').then(() => resumeServer(tx, renter.id)),
    );
    await plane.plane.idle();
    expect(await one.exists('/digits')).toBe('-');
  });
});

describe('two planes on one machine', () => {
  it('share the host key; the second one listens when the first one ends', async () => {
    const other = await startControlPlane(database.sql);
    Object.assign(other.plane.context, { settings: plane.plane.context.settings });
    const first = await openSftpServer(plane.plane.context, agent.streams, { host: '127.0.0.1', port: 0 });
    const taken = first.port()!;
    const second = await openSftpServer(other.plane.context, agent.streams, {
      host: '127.0.0.1',
      port: taken,
    });
    expect(second.port()).toBeNull();
    await first.close();
    await vi.waitFor(() => expect(second.port()).toBe(taken), 10_000);
    let shown = '';
    const hostVerifier = (blob: Buffer) => {
      shown = blob.toString('base64');
      return true;
    };
    // the agent is at the other plane
    expect(await (await client({ port: taken, hostVerifier })).exists('/digits')).toBe('-');
    const file = join(data_dir, 'sftp_host_key');
    const stored = ssh2.utils.parseKey(readFileSync(file, 'utf8'));
    expect((stored as ssh2.ParsedKey).getPublicSSH().toString('base64')).toBe(shown);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await second.close();
    await other.close();
  });
});

/** A signed-in SSH client without SFTP. */
async function connected(): Promise<Client> {
  const made = new ssh2.Client();
  made.on('error', () => {});
  made.connect({ host: '127.0.0.1', port, username: username(), password });
  await once(made, 'ready');
  return made;
}

const setSftp = (who: { id: string; username: string }) =>
  newPassword(actorFor(who as never), renter.id).then(() => randomUUID());

const settle = <T>(work: (done: (error: unknown, value?: T) => void) => void): Promise<T> =>
  new Promise((done, fail) => work((error, value) => (error ? fail(error) : done(value as T))));
const open = (from: SftpClient, path: string, flags: 'r' | 'w') =>
  settle<Buffer>((done) => raw(from).open(path, flags, done));
const closed = (from: SftpClient, handle: Buffer) => settle<void>((done) => raw(from).close(handle, done));
const write = (from: SftpClient, handle: Buffer, position: number, text: string) =>
  settle<void>((done) => raw(from).write(handle, Buffer.from(text), 0, text.length, position, done));
const setSize = (from: SftpClient, path: string, size: number) =>
  settle<void>((done) => raw(from).setstat(path, { size } as never, done));
const symlink = (from: SftpClient, target: string, path: string) =>
  settle<void>((done) => raw(from).symlink(target, path, done));
const read = (from: SftpClient, handle: Buffer, position: number, length: number) =>
  new Promise<string>((done, fail) => {
    const into = Buffer.alloc(length);
    raw(from).read(handle, into, 0, length, position, (error, count) => {
      if (!error) done(into.toString('utf8', 0, count));
      else if ((error as { code?: number }).code === 1) done('');
      else fail(error);
    });
  });
