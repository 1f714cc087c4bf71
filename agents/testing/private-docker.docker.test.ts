import { existsSync, readdirSync, readFileSync } from 'node:fs';
import Docker from 'dockerode';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ensureImage } from '../images/ensure-image.ts';
import { type PrivateDocker, privateDocker } from './private-docker.ts';

/** The tool for tests of a failing Docker: it must really fail, and leave nothing behind. */
let one: PrivateDocker | null = null;
afterEach(async () => {
  await one?.remove();
  one = null;
});

/** Networks of the machine's engine: a second engine in the same network namespace would remove its bridge. */
async function networks(): Promise<string[]> {
  const bridges = readdirSync('/sys/class/net').filter((name) => name === 'docker0');
  const list = await new Docker().listNetworks({ filters: { driver: ['bridge'], name: ['bridge'] } });
  return [...bridges, ...list.map(({ Id }) => Id)].sort();
}

const ticking =
  "process.on('SIGTERM', () => process.exit()); let n = 0; setInterval(() => console.log('tick ' + ++n), 50)";
async function running(docker: Docker) {
  const image = await ensureImage(docker, { build: 'base' });
  const container = await docker.createContainer({ Image: image, Cmd: ['node', '-e', ticking] });
  await container.start();
  const { State } = await container.inspect();
  return { container, pid: State.Pid };
}

describe('a private Docker engine', () => {
  it('retains its containers over a SIGKILL with live-restore, and the machine’s engine is not affected', async () => {
    const before = await networks();
    one = await privateDocker({ live_restore: true });
    const { container, pid } = await running(one.docker);
    await one.kill('SIGKILL');
    await expect(one.docker.ping()).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNREFUSED|ENOENT/),
    });
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    await one.start();
    expect((await container.inspect()).State).toMatchObject({ Running: true, Pid: pid });
    const log = async () => String(await container.logs({ stdout: true, tail: 1 }));
    const last = await log();
    await vi.waitFor(async () => expect(await log()).not.toBe(last), { timeout: 20_000 });
    expect(await networks()).toEqual(before);
  });

  it('without live-restore stops its containers when it is stopped, and leaves no process and no mount', async () => {
    one = await privateDocker({ live_restore: false });
    const folder = one.address.replace('unix://', '').replace('/docker.sock', '');
    const { container, pid } = await running(one.docker);
    await one.kill('SIGTERM');
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    await one.start();
    expect((await container.inspect()).State).toMatchObject({ Running: false });
    await container.start();
    const again = (await container.inspect()).State.Pid;
    await one.kill('SIGKILL');
    expect(existsSync(`/proc/${again}`)).toBe(true);
    await one.remove();
    one = null;
    await vi.waitFor(() => expect(existsSync(`/proc/${again}`)).toBe(false), { timeout: 20_000 });
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(folder);
    expect(existsSync(folder)).toBe(false);
  });
});
