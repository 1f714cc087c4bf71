import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import type { AgentSettings } from '../settings.ts';
import { agentFixture, wait_options } from '../testing/fixture.ts';
import { mountsAt, mountsHere, unmountsAt } from '../testing/mounts-here.ts';
import { folderOf } from './folders.ts';
import { imageAt, imageMounts } from './mounts.ts';
import { reserveOf } from './reserve.ts';

/** What keeps a game server from the disk of its machine, tried as its own user with a real engine. */
const mib = 1024 * 1024;

function freeMb(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return (bavail * bsize) / mib;
}

/** An agent with a folder of its own, on a small disk of its own where `size` is given. */
async function started(context: TestContext, disk: AgentSettings['disk'], size?: string) {
  const fixture = await agentFixture();
  const { data, plane } = fixture;
  context.onTestFinished(async () => {
    if (size) unmountsAt(data);
    await fixture.end();
  });
  if (!(await mountsHere(fixture)))
    context.skip('This machine cannot mount images so that Docker sees them.');
  if (size) expect(mountsAt(data, size)).toBe(true);
  const agent = fixture.start({}, disk);
  let isStopped = false;
  context.onTestFinished(() => {
    if (!isStopped) agent.close();
  });
  const folder = (id: string) => folderOf(data, id);
  return {
    ...fixture,
    /** As a stop of the product does. */
    async stop() {
      isStopped = true;
      agent.close();
      await agent.unmountIdle();
    },
    folder,
    image: (id: string) => join(data, 'disks', `${id}.img`),
    /** Runs a program in the files of a server as the user of that server. */
    asServer(id: string, program: string, ...args: string[]): { status: number | null; stderr: string } {
      const { uid, gid } = statSync(folder(id));
      const env = { ...process.env, LC_ALL: 'C' };
      return spawnSync(program, args, { cwd: folder(id), uid, gid, encoding: 'utf8', env });
    },
    empty: (id: string) => plane.operate(id, 'file_purge', { trash_ids: null }),
    deletes: (id: string, path: string) => plane.operate(id, 'file_delete', { paths: [path] }),
    isBroken: (id: string, step: string) =>
      vi.waitFor(
        () => expect(plane.of(id, 'server.broken').map(({ data: { step } }) => step)).toContain(step),
        wait_options,
      ),
  };
}

describe.concurrent('a server with a disk of its own', () => {
  it('cannot reserve more than its plan, and takes nothing of the machine by trying', async (context) => {
    const { running, data, folder, image, asServer } = await started(context, 'auto', '2G');
    const id = await running({ disk_mb: 100 });
    const before = freeMb(data);
    const refused = asServer(id, 'fallocate', '--length', '36GiB', 'reserved');
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('No space left on device');
    expect(before - freeMb(data)).toBeLessThan(5);
    rmSync(join(folder(id), 'reserved'), { force: true });
    // a file with a hole is as large as what is written, and names cost nothing of the machine
    expect(asServer(id, 'truncate', '--size', '1T', 'hole').status).toBe(0);
    for (const name of ['a', 'b', 'c']) linkSync(join(folder(id), 'hole'), join(folder(id), name));
    expect(asServer(id, 'sh', '-c', 'head -c 200M /dev/zero > written').stderr).toContain('No space left');
    expect(before - freeMb(data)).toBeLessThan(130);
    expect(statSync(image(id)).blocks * 512).toBeLessThan(130 * mib);
  });

  it('that is full, of bytes or of files, is emptied by its owner, and starts again', async (context) => {
    const { plane, running, power, folder, asServer, deletes, empty, isBroken } = await started(
      context,
      'auto',
    );
    const id = await running({ disk_mb: 40 });
    // to the last block: each folder takes one
    const fill = 'cat /dev/zero > large; mkdir last; n=0; while mkdir last/$n; do n=$((n + 1)); done';
    expect(asServer(id, 'sh', '-c', fill).stderr).toMatch(/large?: No space left|write error: No space left/);
    expect(await deletes(id, 'large')).toMatchObject({
      state: 'done',
      result: { trash: [{ path: 'large' }] },
    });
    expect(await deletes(id, 'last')).toMatchObject({ state: 'done', result: { trash: [{ path: 'last' }] } });
    expect(await empty(id)).toMatchObject({ state: 'done' });
    const many = 'mkdir many; cd many; n=0; while : > $n; do n=$((n + 1)); done';
    expect(asServer(id, 'sh', '-c', many).stderr).toMatch(/No space left|cannot create/);
    await plane.setDesired(id, { power: 'off' });
    await power(id, 'stopped');
    await plane.setDesired(id, { power: 'on' });
    await isBroken(id, 'disk_full');
    expect(await deletes(id, 'many')).toMatchObject({ state: 'done' });
    expect(await empty(id)).toMatchObject({ state: 'done' });
    expect(readdirSync(folder(id))).not.toContain('many');
    await power(id, 'running');
  });

  it('lets go of it when its agent is stopped, unless it runs, and when the data was removed', async (context) => {
    const { stop, plane, running, power, folder, image, start } = await started(context, 'auto');
    const [runs, rests] = [await running(), await running()];
    await plane.setDesired(rests, { power: 'off' });
    await power(rests, 'stopped');
    await stop();
    expect(await imageAt(folder(rests))).toBeNull();
    expect(await imageAt(folder(runs))).toMatchObject({ image: image(runs) });
    rmSync(image(runs));
    plane.socket = null;
    plane.heartbeats = [];
    const next = start({}, 'auto');
    context.onTestFinished(() => next.close());
    await vi.waitFor(() => expect(plane.heartbeats.at(-1)?.facts.disk_mode).toBe('image'), wait_options);
    expect((await imageMounts()).filter(({ point }) => point === folder(runs))).toEqual([]);
  });
});

describe.concurrent('a machine whose disk fills', () => {
  it('stops a server without a limit of its own at the reserve, and starts it when there is room', async (context) => {
    const on = await started(context, 'measured', '600M');
    const { plane, running, power, folder, asServer, data, isBroken } = on;
    const id = await running({ disk_mb: 10_000 });
    const told = { disk_mode: 'measured', disk_why: 'the operator chose it', disk_measured: 1 };
    await vi.waitFor(() => expect(plane.heartbeats.at(-1)?.facts).toMatchObject(told), wait_options);
    const most = `${Math.floor(freeMb(data) - reserveOf(freeMb(data)) / 3)}MiB`;
    expect(asServer(id, 'fallocate', '--length', most, 'x').status).toBe(0);
    await power(id, 'stopped');
    await plane.setDesired(id, { restart_seq: 1 });
    await isBroken(id, 'machine_full');
    rmSync(join(folder(id), 'x'));
    await power(id, 'running');
  });

  it('stops one with a disk of its own only before that could not be written', async (context) => {
    const { plane, running, power, image, data } = await started(context, 'auto', '600M');
    const id = await running({ disk_mb: 10_000 });
    expect(existsSync(image(id))).toBe(true);
    const reserve = reserveOf(freeMb(data));
    const filler = join(data, 'filler');
    const leave = (mb: number) =>
      spawnSync('fallocate', ['--length', `${Math.floor(freeMb(data) - mb)}MiB`, filler]);
    leave(reserve * 0.4);
    await vi.waitFor(() => expect(plane.heartbeats.at(-1)?.facts.disk_room).toBe('none'), wait_options);
    expect(plane.power(id)).toBe('running');
    rmSync(filler);
    leave(reserve * 0.15);
    await power(id, 'stopped');
    rmSync(filler);
    await power(id, 'running');
  });
});
