import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { kindOffers } from '../../db/hosting/server-kinds/rules.ts';
import { demoServers, playsVersion } from '../testing/demo-servers.ts';
import { type Bot, joinGame } from '../testing/minecraft-bot.ts';
import type { Place } from './bot.ts';
import { offlineUuid } from './players.ts';

const servers = demoServers();
const { data, uid, kind, start } = servers;

/** What a status ping answers. Source: Server List Ping. */
async function statusOf(port: number): Promise<object> {
  const socket = connect({ host: '127.0.0.1', port });
  // any version, to localhost, for its status; then the request
  const hello = [0x00, 0xff, 0xff, 0xff, 0xff, 0x0f, 9, ...Buffer.from('localhost'), 0x63, 0xdd, 1];
  socket.write(Buffer.from([hello.length, ...hello, 1, 0]));
  let got = '';
  try {
    for await (const chunk of socket) {
      got += (chunk as Buffer).toString();
      const begin = got.indexOf('{');
      if (begin >= 0 && got.endsWith('}')) return JSON.parse(got.slice(begin)) as object;
    }
  } finally {
    socket.destroy();
  }
  throw new Error('no answer to a status ping');
}

describe('the demo game server', () => {
  /** Joined by the advised version below; by all others: `agents/local-kind/versions.soak.test.ts`. */
  it('is joined by a real player of its newest version, who hears and is heard, and stops when told', () =>
    playsVersion(servers, kindOffers.local.game_versions[0]));

  it('is what the properties of its owner say, to a player and in a status ping, and leaves that file alone', async () => {
    const path = join(data, 'server.properties');
    const own =
      '#mine\nunknown-key=kept\nmotd=Caf\\u00e9 by the river\nmax-players=3\nmax-players=7\nonline-mode=false\n';
    const before = existsSync(path) ? readFileSync(path) : null;
    writeFileSync(path, own);
    const server = await start();
    await server.says(kind.ready_pattern);
    const bot = await joinGame({ host: '127.0.0.1', port: server.port }, 'Reader', { version: '1.16.5' });
    try {
      await vi.waitFor(async () => {
        const answer = await statusOf(server.port);
        expect(answer).toMatchObject({ players: { online: 1, max: 7 } });
        expect(JSON.stringify(answer)).toContain('Café by the river');
      });
    } finally {
      await bot.leave();
    }
    server.type(kind.stop.command);
    await server.ended();
    expect(readFileSync(path, 'utf8')).toBe(own);
    if (before) writeFileSync(path, before);
    else rmSync(path);
  });

  it('writes nothing of its world while saving is off, everything by a flush, and starts with what is in its files', async () => {
    const game_version = kindOffers.local.advised!;
    const world = join(data, 'world', game_version);
    const written = () =>
      globSync('**/*', { cwd: world })
        .filter((path) => statSync(join(world, path)).isFile())
        .sort()
        .map((path) => {
          const hash = createHash('sha256').update(readFileSync(join(world, path)));
          return `${path} ${statSync(join(world, path)).mtimeMs} ${hash.digest('hex')}`;
        });
    /** The library saves every second. */
    const whatSavingWouldTake = () => sleep(2_000);
    const bot = (at: { port: number }) =>
      joinGame({ host: '127.0.0.1', port: at.port }, 'Digger', { version: game_version });
    const blocks = async (player: Bot, ...places: Place[]) => {
      const found: (string | null)[] = [];
      for (const place of places) {
        await vi.waitFor(async () => expect(await player.blockAt(place)).not.toBeNull(), { timeout: 30_000 });
        found.push(await player.blockAt(place));
      }
      return found;
    };

    const first = await start();
    await first.says(kind.ready_pattern);
    let player = await bot(first);
    await vi.waitFor(() => expect(written().length).toBeGreaterThan(1), { timeout: 30_000 });
    first.type(kind.save.off);
    await first.says(/saving is now disabled/);
    const before = written();
    const kept = await player.dig(1, 0);
    await whatSavingWouldTake();
    expect(written(), 'after digging').toEqual(before);
    first.type(kind.save.flush);
    await first.says(kind.save.flushed);
    const flushed = written();
    expect(flushed, 'after a flush').not.toEqual(before);
    const backup = mkdtempSync(join(tmpdir(), 'cairn-kind-backup-'));
    cpSync(world, backup, { recursive: true });
    const lost = await player.dig(0, 1);
    await player.leave();
    await whatSavingWouldTake();
    expect(written(), 'after leaving').toEqual(flushed);
    first.type(kind.save.on);
    await vi.waitFor(() => expect(written()).not.toEqual(flushed), { timeout: 30_000 });
    first.type(kind.stop.command);
    await first.ended();

    const second = await start();
    await second.says(kind.ready_pattern);
    player = await bot(second);
    expect(await blocks(player, kept, lost)).toEqual(['air', 'air']);
    await player.leave();
    second.type(kind.stop.command);
    await second.ended();

    rmSync(world, { recursive: true });
    cpSync(backup, world, { recursive: true });
    for (const path of globSync('**', { cwd: world })) chownSync(join(world, path), uid, uid);
    rmSync(backup, { recursive: true });
    const third = await start();
    await third.says(kind.ready_pattern);
    player = await bot(third);
    const [dug, solid] = await blocks(player, kept, lost);
    expect(dug).toBe('air');
    expect(solid).not.toBe('air');
    await player.leave();
  });

  it('admits who may play: whitelist, bans and operators of its files, by commands, and after a restart', async () => {
    const version = kindOffers.local.advised!;
    const list = (name: string) => JSON.parse(readFileSync(join(data, name), 'utf8')) as object[];
    const join_as = (name: string, { port }: { port: number }) =>
      joinGame({ host: '127.0.0.1', port }, name, { version });
    const banned = {
      uuid: offlineUuid('Brann'),
      name: 'Brann',
      reason: 'griefing',
      expires: 'forever',
      note: 7,
    };
    writeFileSync(join(data, 'banned-players.json'), JSON.stringify([banned]));
    chownSync(join(data, 'banned-players.json'), uid, uid);
    const first = await start();
    await first.says(kind.ready_pattern);
    await expect(join_as('Brann', first)).rejects.toThrow(/banned from this server.*griefing/s);
    first.type('pardon brann');
    await first.says(/Unbanned Brann/);
    const bot = await join_as('Brann', first);
    await vi.waitFor(async () =>
      expect(await statusOf(first.port)).toMatchObject({ players: { sample: [{ name: 'Brann' }] } }),
    );
    first.type('kick Brann too many lanterns');
    await first.says(/Kicked Brann: too many lanterns/);
    await vi.waitFor(() => expect(bot.endReason()).toMatch(/too many lanterns/));
    await bot.leave();
    first.type('kick Brann');
    await first.says(/No player was found/);
    first.type('op Mirelle');
    await first.says(/Made Mirelle a server operator/);
    first.type('op @a');
    await first.says(/That player does not exist/);
    first.type('whitelist on');
    await first.says(/Whitelist is now turned on/);
    await expect(join_as('Brann', first)).rejects.toThrow(/not white-listed/);
    await (await join_as('Mirelle', first)).leave();
    first.type('whitelist add Brann');
    await first.says(/Added Brann to the whitelist/);
    first.type('ban Odo  no more');
    await first.says(/Banned Odo: no more/);
    first.type(kind.stop.command);
    await first.ended();
    expect(list('ops.json')).toMatchObject([{ name: 'Mirelle', level: 4 }]);
    expect(readFileSync(join(data, 'server.properties'), 'utf8')).toMatch(/^white-list=true$/m);

    const second = await start();
    await second.says(kind.ready_pattern);
    await (await join_as('Brann', second)).leave();
    await expect(join_as('Odo', second)).rejects.toThrow(/no more/);
    await expect(join_as('Stranger', second)).rejects.toThrow(/not white-listed/);
    second.type('whitelist off');
    await second.says(/Whitelist is now turned off/);
    for (const name of ['ops.json', 'banned-players.json', 'whitelist.json']) rmSync(join(data, name));
  });

  it('ends with 143 when Docker stops it, without capabilities until then', async () => {
    const server = await start();
    await server.says(kind.ready_pattern);
    const { Processes } = (await server.container.top({ ps_args: '-eo pid,uid' })) as {
      Processes: string[][];
    };
    expect(new Set(Processes.map(([, owner]) => owner))).toEqual(new Set([String(uid)]));
    await server.container.kill({ signal: kind.stop.signal });
    expect(await server.ended()).toEqual({ code: 143, oom: false });
    await server.says(/Stopping the server/);
  });

  it('dies on command: out of memory, and by a crash', async () => {
    const greedy = await start({ ram_mb: 192 });
    await greedy.says(kind.ready_pattern);
    greedy.type('oom');
    expect(await greedy.ended()).toEqual({ code: 137, oom: true });

    const clumsy = await start();
    await clumsy.says(kind.ready_pattern);
    clumsy.type('spam 2000');
    await clumsy.says(/^spam 2000 of 2000$/m);
    clumsy.type('crash');
    expect(await clumsy.ended()).toEqual({ code: 42, oom: false });
    await clumsy.says(/Crashing on request/);
  });

  it('does not start without the EULA, and says so', async () => {
    rmSync(join(data, 'eula.txt'), { force: true });
    const server = await start({ terms_accepted: false });
    expect(await server.ended()).toEqual({ code: 1, oom: false });
    await server.says(/Accept the EULA/);
  });
});
