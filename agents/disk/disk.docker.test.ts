import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AgentFixture, agentFixture, freePort, serverId, wait_options } from '../testing/fixture.ts';
import { mountsHere } from '../testing/mounts-here.ts';
import { folderOf } from './folders.ts';
import { makeImage } from './image.ts';
import { imageAt, imageMounts } from './mounts.ts';

/**
 * Limits of disks with a real engine. What this machine offers is found out here by other means than the agent's; both
 * kinds of machine have their own expectations.
 */
let fixture: AgentFixture;
let agent: { close(): void };
let offered: boolean;

beforeAll(async () => {
  fixture = await agentFixture();
  offered = await mountsHere(fixture);
  // left by an agent that was killed while it probed whether images can be mounted
  if (offered) leaveProbe(join(fixture.data, 'disks'));
  agent = fixture.start({}, 'auto');
  await vi.waitFor(() => expect(fixture.plane.socket).not.toBeNull(), wait_options);
});
afterAll(async () => {
  agent?.close();
  await fixture?.end();
});

const sh = (script: string, ...args: string[]) =>
  spawnSync('sh', ['-ec', script, ...args], { encoding: 'utf8' });
function leaveProbe(disks: string): void {
  mkdirSync(join(disks, 'probe'), { recursive: true });
  const left = 'truncate -s 20M "$0.img"; mkfs.ext4 -q -F "$0.img"; mount -o loop "$0.img" "$0"';
  expect(sh(left, join(disks, 'probe')).status).toBe(0);
}

/** Starts the agent after it was closed. */
async function restart(disk: 'auto' | 'measured'): Promise<void> {
  fixture.plane.socket = null;
  fixture.plane.heartbeats = [];
  agent = fixture.start({}, disk);
  await vi.waitFor(() => expect(fixture.plane.socket).not.toBeNull(), wait_options);
}
const modeIs = (mode: string) =>
  vi.waitFor(() => expect(fixture.plane.heartbeats.at(-1)?.facts.disk_mode).toBe(mode), wait_options);
const folder = (id: string) => folderOf(fixture.data, id);
const image = (id: string) => join(fixture.data, 'disks', `${id}.img`);
const images = (): string[] => {
  const disks = join(fixture.data, 'disks');
  return existsSync(disks) ? readdirSync(disks) : [];
};
const devicesOf = (path: string) =>
  readdirSync('/sys/block').filter((name) => {
    const file = join('/sys/block', name, 'loop/backing_file');
    return existsSync(file) && readFileSync(file, 'utf8').startsWith(path);
  });
/** Megabytes that can still be written. */
const room = (id: string): number =>
  Number(/\d+/.exec(execFileSync('df', ['-BM', '--output=avail', folder(id)]).toString())?.[0]);
/** Whether this process has CAP_SYS_RESOURCE. */
const mayGrow = (): boolean =>
  (BigInt(`0x${/^CapEff:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]}`) >> 24n) % 2n ===
  1n;
const warnings = (id: string) => fixture.plane.of(id, 'server.warning').map(({ data }) => data.code);

describe.concurrent('the disk of a new server', () => {
  it('is limited by the kernel where this machine can, otherwise measured, and the heartbeat says which', async () => {
    await modeIs(offered ? 'image' : 'measured');
    expect(await imageMounts()).not.toContainEqual(
      expect.objectContaining({ point: join(fixture.data, 'disks/probe') }),
    );
    const id = await fixture.running();
    expect(existsSync(image(id))).toBe(offered);
    expect((await imageAt(folder(id)))?.image ?? null).toBe(offered ? image(id) : null);
    expect(readdirSync(folder(id)), 'the renter finds an empty folder').toEqual([]);
    await fixture.plane.setDesired(id, { power: 'off' });
  });

  it('takes no more than it may, whatever is written', async () => {
    const { plane, running, printed, power } = fixture;
    const id = await running({ disk_mb: 40 });
    plane.watch(id);
    await plane.type(id, 'fill 90');
    if (!offered) return await power(id, 'stopped');
    await printed(id, 'not filled: ENOSPC');
    // the file system's own tables need space as well
    expect(statSync(image(id)).blocks * 512).toBeLessThan(60 * 1024 * 1024);
    await vi.waitFor(() => expect(warnings(id)).toEqual(['disk_full']), wait_options);
    const used = () => plane.stats.findLast(({ server_id }) => server_id === id)?.disk_mb;
    await vi.waitFor(() => expect(used()).toBeGreaterThanOrEqual(40), wait_options);
    await plane.type(id, 'clear');
    await printed(id, 'cleared');
    await plane.type(id, 'fill 38');
    await printed(id, 'filled 38');
    expect(plane.powers(id), 'it was never stopped').toEqual(['starting', 'running']);
    await plane.setDesired(id, { power: 'off' });
  });

  it('that is full is not started until it is larger, and grows while it runs', async () => {
    const { plane, running, printed, power } = fixture;
    const id = await running({ disk_mb: 40 });
    await plane.type(id, 'fill 90');
    await printed(id, offered ? 'not filled: ENOSPC' : 'filled 90');
    await plane.setDesired(id, { power: 'off' });
    await power(id, 'stopped');
    await plane.setDesired(id, { power: 'on' });
    const broken = () => plane.of(id, 'server.broken').map(({ data }) => data.step);
    await vi.waitFor(() => expect(broken()).toEqual(['disk_full']), wait_options);
    await plane.setDesired(id, { disk_mb: 120 });
    await power(id, 'running');
    await plane.type(id, 'fill 110');
    await printed(id, 'filled 110');
    await plane.setDesired(id, { disk_mb: 300 });
    // at once where the kernel allows it, otherwise at the next start
    if (offered && !mayGrow()) await plane.setDesired(id, { restart_seq: 1 });
    if (offered) await vi.waitFor(() => expect(Math.abs(room(id) - 194)).toBeLessThan(6), wait_options);
    await power(id, 'running');
    await plane.type(id, 'fill 290');
    await printed(id, 'filled 290');
    expect(plane.power(id)).toBe('running');
    await plane.setDesired(id, { power: 'off' });
  });
});

describe('a disk that is not mounted any more', () => {
  it('is mounted again under a server that runs, and before one starts', async () => {
    if (!offered) return expect(images()).toEqual([]);
    const { plane, running, printed, power } = fixture;
    const id = await running();
    await plane.type(id, 'fill 3');
    await printed(id, 'filled 3');
    const kept = () => existsSync(join(folder(id), 'filled'));
    sh('umount --lazy "$0"', folder(id));
    expect(kept()).toBe(false);
    await vi.waitFor(() => expect(kept()).toBe(true), wait_options);
    await plane.type(id, 'crash');
    await power(id, 'crashed');
    sh('umount --lazy "$0"', folder(id));
    // the unmounted folder belongs to root and stays empty
    expect(statSync(folder(id))).toMatchObject({ uid: 0, mode: 0o40700 });
    await power(id, 'running');
    expect(kept()).toBe(true);
    await plane.type(id, 'clear');
    await printed(id, 'cleared');
    sh('umount --lazy "$0"', folder(id));
    expect(readdirSync(folder(id))).toEqual([]);
    await plane.setDesired(id, { power: 'off' });
  });

  it('or was left half made by an agent that was killed is finished', async () => {
    if (!offered) return expect(images()).toEqual([]);
    const { plane, power, printed } = fixture;
    const [begun, made, grown] = [serverId(), serverId(), serverId()];
    // killed while the image was written, before it was mounted, and while it was grown
    writeFileSync(`${image(begun)}.part`, 'half');
    await makeImage(image(made), 60, 20_000);
    await makeImage(image(grown), 100, 20_000);
    writeFileSync(`${image(grown)}.growing`, '');
    plane.watch(begun, made, grown);
    for (const id of [begun, made, grown])
      await plane.setDesired(id, { power: 'on', port: await freePort(), disk_mb: 100 });
    for (const id of [begun, made, grown]) {
      await power(id, 'running');
      await plane.type(id, 'fill 95');
      await printed(id, 'filled 95');
      expect(await imageAt(folder(id))).toMatchObject({ image: image(id) });
      await plane.setDesired(id, { power: 'off' });
    }
    expect(images().filter((name) => !name.endsWith('.img'))).toEqual([]);
  });

  it('of a server that must not exist leaves nothing behind', async () => {
    const { plane, running } = fixture;
    const id = await running();
    expect(devicesOf(image(id))).toHaveLength(offered ? 1 : 0);
    await plane.socket!.timeout(20_000).emitWithAck('spec.delete', { server_id: id });
    await vi.waitFor(() => expect(plane.of(id, 'server.deleted')).toHaveLength(1), wait_options);
    expect([existsSync(folder(id)), existsSync(image(id))]).toEqual([false, false]);
    // a process that copied the mounts of this machine may hold the device a little longer
    await vi.waitFor(() => expect(devicesOf(image(id))).toEqual([]), wait_options);
  });
});

describe('an agent', () => {
  it('that is set to measure does so for new servers and still mounts old ones', async () => {
    const { plane, running, power } = fixture;
    const id = await running();
    await plane.setDesired(id, { power: 'off' });
    await power(id, 'stopped');
    agent.close();
    if (offered) sh('umount "$0"', folder(id));
    await restart('measured');
    await modeIs('measured');
    const other = await running();
    expect([existsSync(folder(other)), existsSync(image(other))]).toEqual([true, false]);
    await plane.setDesired(id, { power: 'on' });
    await power(id, 'running');
    expect(await imageAt(folder(id))).toEqual(offered ? expect.objectContaining({ image: image(id) }) : null);
    // and the other way round: a folder stays a folder
    agent.close();
    await restart('auto');
    await modeIs(offered ? 'image' : 'measured');
    await plane.setDesired(other, { power: 'on', restart_seq: 1 });
    await vi.waitFor(
      () =>
        expect(plane.powers(other)).toEqual([
          'starting',
          'running',
          'stopping',
          'stopped',
          'starting',
          'running',
        ]),
      wait_options,
    );
    expect(existsSync(image(other))).toBe(false);
    for (const one of [id, other]) await plane.setDesired(one, { power: 'off' });
  });

  it('that has other mounts than Docker measures', async () => {
    const elsewhere = await agentFixture();
    try {
      const id = serverId();
      await elsewhere.plane.setDesired(id, { port: await freePort() });
      const alone = spawnSync('unshare', ['-m', 'true']).status === 0;
      elsewhere.spawn(
        { CAIRN_AGENT_DISK: 'auto' },
        alone ? ['unshare', '-m', '--propagation', 'private'] : [],
      );
      await vi.waitFor(
        () => expect(elsewhere.plane.of(id, 'server.installed')).toHaveLength(1),
        wait_options,
      );
      expect(elsewhere.plane.heartbeats.at(-1)?.facts.disk_mode).toBe('measured');
      expect(existsSync(join(elsewhere.data, 'disks', `${id}.img`))).toBe(false);
    } finally {
      await elsewhere.end();
    }
  });
});
