import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import Docker from 'dockerode';
import { afterEach, expect, it, vi } from 'vitest';
import {
  type AgentFixture,
  agentFixture,
  expectCompleteConsole,
  lastTick,
  wait_options,
} from '../testing/fixture.ts';
import { type PrivateDocker, privateDocker } from '../testing/private-docker.ts';

/** Docker engines that fail under an agent: private ones, since the machine's own is never touched. */
let engine: PrivateDocker | null = null;
let fixture: AgentFixture | null = null;
afterEach(async () => {
  await fixture?.end();
  await engine?.remove();
  if (engine) expectNothingLeft(engine.folder);
  [fixture, engine] = [null, null];
});

function expectNothingLeft(folder: string): void {
  const processes = spawnSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).stdout;
  expect(processes).not.toContain(`${folder}/`);
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(folder);
  expect(existsSync(folder)).toBe(false);
}

/** Networks of the machine's engine: a second engine in the same network namespace would remove its bridge. */
async function networks(): Promise<string[]> {
  const bridges = readdirSync('/sys/class/net').filter((name) => name === 'docker0');
  const list = await new Docker().listNetworks({ filters: { driver: ['bridge'], name: ['bridge'] } });
  return [...bridges, ...list.map(({ Id }) => Id)].sort();
}

async function groundOn(one: PrivateDocker): Promise<AgentFixture> {
  engine = one;
  fixture = await agentFixture(one.docker);
  await one.take(new Docker(), fixture.image);
  fixture.spawn({ DOCKER_HOST: one.address });
  return fixture;
}
const engineIs = (state: 'up' | 'down') =>
  vi.waitFor(() => expect(fixture!.plane.heartbeats.at(-1)?.docker).toBe(state), wait_options);

it('servers keep running while Docker is killed and restarted, and their consoles stay complete', async () => {
  const before_all = await networks();
  const here = await groundOn(await privateDocker({ live_restore: true }));
  const { plane, running, printed } = here;
  const id = await running();
  const before = await (await here.containerOf(id)).inspect();
  await plane.type(id, 'tick 5');
  await vi.waitFor(() => expect(lastTick(here, id)).toBeGreaterThan(50), wait_options);
  await engine!.kill('SIGKILL');
  await engineIs('down');
  expect(plane.power(id)).toBe('running');
  await engine!.start();
  await engineIs('up');
  await vi.waitFor(
    async () => expect(await plane.type(id, 'say back')).toEqual({ delivered: true }),
    wait_options,
  );
  await printed(id, '[Server] back');
  const tick = lastTick(here, id);
  await vi.waitFor(() => expect(lastTick(here, id)).toBeGreaterThan(tick + 20), wait_options);
  expectCompleteConsole(here, id);
  expect(plane.powers(id)).toEqual(['starting', 'running']);
  expect((await (await here.containerOf(id)).inspect()).State.StartedAt).toBe(before.State.StartedAt);
  expect(await networks(), 'of the engine of this machine').toEqual(before_all);
});

it('servers that end together with Docker are no crashes: they are started again', async () => {
  const { plane, running } = await groundOn(await privateDocker({ live_restore: false }));
  const id = await running();
  await engine!.kill('SIGTERM');
  await engineIs('down');
  await engine!.start();
  await engineIs('up');
  const first = plane.of(id, 'server.power').find(({ data }) => data.epoch)!.data.epoch;
  await vi.waitFor(() => {
    const { power, epoch } = plane.of(id, 'server.power').at(-1)!.data;
    expect(power).toBe('running');
    expect(epoch).not.toBe(first);
  }, wait_options);
  expect(plane.powers(id)).not.toContain('crashed');
  expect(plane.of(id, 'server.broken')).toEqual([]);
});
