import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { folderOf } from './disk/folders.ts';
import { type AgentFixture, agentFixture, freePort, serverId, wait_options } from './testing/fixture.ts';

/** One agent, one control plane, real containers. */
let fixture: AgentFixture;
let agent: { close(): void };

beforeAll(async () => {
  fixture = await agentFixture();
  agent = fixture.start();
  await vi.waitFor(() => expect(fixture.plane.socket).not.toBeNull(), wait_options);
});
afterAll(async () => {
  agent?.close();
  await fixture?.end();
});

const soon = () => new Date(Date.now() + 60_000).toISOString();
const operate = (server_id: string, change: object = {}) =>
  fixture.plane.socket!.timeout(20_000).emitWithAck('operation.run', {
    op_id: randomUUID(),
    server_id,
    kind: 'kill',
    args: {},
    not_after: soon(),
    lease: fixture.plane.lease,
    ...change,
  });

// most of them wait: they have servers of their own
describe.concurrent('power', () => {
  it('starts a server, shows its console, types into it and stops it by its own command', async () => {
    const { plane, power, printed } = fixture;
    const id = serverId();
    plane.watch(id);
    await plane.setDesired(id, { port: await freePort(), power_by: 'ada' });
    await vi.waitFor(() => expect(plane.of(id, 'server.installed')).toHaveLength(1), wait_options);
    await plane.setDesired(id, { power: 'on' });
    await power(id, 'running');
    expect(await plane.type(id, 'say hello')).toEqual({ delivered: true });
    await printed(id, '[Server] hello');
    await plane.setDesired(id, { power: 'off' });
    await power(id, 'stopped');
    expect(plane.powers(id)).toEqual(['starting', 'running', 'stopping', 'stopped']);
    expect(plane.of(id, 'server.power').at(-1)?.data).toMatchObject({ exit_code: 0 });
    const all = [
      'start_requested ada',
      'Booting',
      'Done (0.1s)! For help, type "help"',
      'say hello',
      '[Server] hello',
      'stop_requested ada',
      'Stopping',
    ];
    await vi.waitFor(() => expect(plane.texts(id)).toEqual(all), wait_options);
  });

  it('learns the commands of a server from its help, which its console shows to those who ask', async () => {
    const { plane, running, printed } = fixture;
    const id = await running();
    const known = () => plane.socket!.timeout(20_000).emitWithAck('console.commands', { server_id: id });
    const commands = [
      { name: 'say', usage: '<message>' },
      { name: 'tick', usage: '<ms>' },
    ];
    const [one, other] = await Promise.all([known(), known()]);
    expect(one).toMatchObject({ epoch: expect.any(String), commands });
    expect(other).toEqual(one);
    await plane.type(id, 'say hello');
    await printed(id, '[Server] hello');
    const boot = ['start_requested', 'Booting', 'Done (0.1s)! For help, type "help"'];
    expect(plane.texts(id)).toEqual([...boot, 'say hello', '[Server] hello']);
    await plane.type(id, 'help');
    await printed(id, '/say <message>');
    expect(await known()).toEqual(one);
  });

  it('restarts once when a restart is requested', async () => {
    const { plane, running, power } = fixture;
    const id = await running();
    await plane.setDesired(id, { restart_seq: 1, power_by: 'ada' });
    await power(id, 'stopping');
    await vi.waitFor(() => expect(plane.texts(id)).toContain('restart_requested ada'), wait_options);
    await power(id, 'running');
    expect(plane.powers(id)).toEqual(['starting', 'running', 'stopping', 'stopped', 'starting', 'running']);
    const epochs = plane.of(id, 'server.power').flatMap(({ data }) => data.epoch ?? []);
    expect(new Set(epochs).size).toBe(2);
  });

  it('kills an unresponsive server, which stays down until a user starts it', async () => {
    const { plane, running, power, printed } = fixture;
    const id = await running();
    await plane.type(id, 'deaf');
    await printed(id, 'deaf now');
    const op_id = randomUUID();
    expect(await operate(id, { op_id })).toEqual({ status: 'accepted' });
    await power(id, 'stopped');
    expect(await operate(id, { op_id })).toEqual({ status: 'duplicate', state: 'done' });
    expect(plane.of(id, 'operation.ended').map(({ data }) => data.state)).toEqual(['done']);
    // it would have been started again by now: a server that was requested later runs already
    await running();
    expect(plane.power(id)).toBe('stopped');
    await plane.setDesired(id, { restart_seq: 1 });
    await power(id, 'running');
  });

  it('stops a deaf server by force when its grace is over, and says so', async () => {
    const { plane, running, power, printed } = fixture;
    const id = await running();
    await plane.type(id, 'deaf');
    await printed(id, 'deaf now');
    await plane.setDesired(id, { power: 'off' });
    await power(id, 'stopped');
    expect(plane.of(id, 'server.warning').map(({ data }) => data.code)).toEqual(['stop_forced']);
    expect(plane.of(id, 'server.power').at(-1)?.data).toMatchObject({ exit_code: 137 });
  });

  it('lets a server rest that was stopped from its console', async () => {
    const { plane, running, power } = fixture;
    const id = await running();
    await plane.type(id, 'stop');
    await power(id, 'stopped');
    expect(plane.powers(id)).not.toContain('crashed');
  });

  it('stops a suspended server and does not start it', async () => {
    const { plane, running, power } = fixture;
    const id = await running();
    await plane.setDesired(id, { suspended: true });
    await power(id, 'stopped');
    await plane.setDesired(id, { suspended: false });
    await power(id, 'running');
  });
});

describe.concurrent('unexpected ends', () => {
  it('are reported with exit code and last lines, and the server is started again', async () => {
    const { plane, running, power } = fixture;
    const id = await running();
    await plane.type(id, 'crash');
    await power(id, 'crashed');
    const crash = plane.of(id, 'server.power').find(({ data }) => data.power === 'crashed')!;
    expect(crash.data).toMatchObject({ exit_code: 42, out_of_memory: false, crash_loop: false });
    expect(crash.data.last_lines).toEqual([
      'Booting',
      'Done (0.1s)! For help, type "help"',
      'about to crash',
    ]);
    await power(id, 'running');
  });

  it('are reported with as many last lines as fit, however long those are', async () => {
    const { plane, running } = fixture;
    const id = await running();
    await plane.type(id, 'long 50');
    await plane.type(id, 'crash');
    const crash = await vi.waitFor(() => {
      const found = plane.of(id, 'server.power').find(({ data }) => data.power === 'crashed');
      expect(found).toBeDefined();
      return found!;
    }, wait_options);
    expect(crash.data.last_lines).not.toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(crash.data.last_lines))).toBeLessThanOrEqual(32 * 1024);
    expect(crash.data).not.toHaveProperty('shortened');
    await plane.setDesired(id, { power: 'off' });
  });

  it('by memory are reported as such', async () => {
    const { plane, running, power } = fixture;
    const id = await running({ ram_mb: 64 });
    await plane.type(id, 'oom');
    await power(id, 'crashed');
    expect(plane.of(id, 'server.power').find(({ data }) => data.power === 'crashed')?.data).toMatchObject({
      exit_code: 137,
      out_of_memory: true,
    });
    await plane.setDesired(id, { power: 'off' });
  });

  it('leave the process what it may have and nothing more', async () => {
    const { plane, running } = fixture;
    const id = await running({ ram_mb: 96, cpu_millis: 500 });
    await plane.type(id, 'self');
    const told = await vi.waitFor(() => {
      const line = plane.texts(id).find((text) => text.startsWith('{'));
      return JSON.parse(line!) as Record<string, unknown>;
    }, wait_options);
    expect(told).toMatchObject({
      memory_mb: 96,
      capabilities: '0000000000000000',
      no_new_privileges: '1',
      root: 'EROFS',
      data: 'written',
    });
    expect(told.uid).toBeGreaterThanOrEqual(20_000);
    const { HostConfig } = await (await fixture.containerOf(id)).inspect();
    expect(HostConfig).toMatchObject({
      NanoCpus: 500_000_000,
      PidsLimit: 128,
      RestartPolicy: { Name: 'no' },
    });
  });

  it('happen to a server whose disk is full by a stop, and it says why', async () => {
    const { plane, running, power } = fixture;
    const id = await running({ disk_mb: 20 });
    await plane.type(id, 'fill 24');
    await power(id, 'stopped');
    await vi.waitFor(
      () => expect(plane.of(id, 'server.broken').map(({ data }) => data.step)).toEqual(['disk_full']),
      wait_options,
    );
    expect(plane.of(id, 'server.warning').map(({ data }) => data.code)).toEqual(['disk_full']);
    await plane.setDesired(id, { disk_mb: 100 });
    await power(id, 'running');
  });
});

describe.concurrent('what is in the way', () => {
  it('a port in use is reported, and used once it is free', async () => {
    const { plane, power } = fixture;
    const port = await freePort();
    const holder = createServer().listen(port, '127.0.0.1');
    const id = serverId();
    await plane.setDesired(id, { port, power: 'on' });
    await vi.waitFor(
      () =>
        expect(plane.of(id, 'server.broken').map(({ data }) => data)).toEqual([
          { step: 'port_taken', error: expect.any(String), generation: 1 },
        ]),
      wait_options,
    );
    expect(plane.powers(id)).toEqual([]);
    await new Promise((done) => holder.close(done));
    await plane.setDesired(id, { restart_seq: 1 });
    await power(id, 'running');
  });

  it('a foreign container with the name of a server is not touched', async () => {
    const { plane, docker, image, power } = fixture;
    const id = serverId();
    const foreign = await docker.createContainer({ name: `cairn-${id}`, Image: image });
    try {
      await foreign.start();
      await plane.setDesired(id, { port: await freePort(), power: 'on' });
      await vi.waitFor(
        () => expect(plane.of(id, 'server.broken').at(-1)?.data.step).toBe('name_taken'),
        wait_options,
      );
      expect(await operate(id)).toEqual({ status: 'accepted' });
      await vi.waitFor(() => expect(plane.of(id, 'operation.ended')).toHaveLength(1), wait_options);
      expect((await foreign.inspect()).State.Running).toBe(true);
    } finally {
      await foreign.remove({ force: true });
    }
    await plane.setDesired(id, { restart_seq: 1 });
    await power(id, 'running');
  });

  it('a container that was removed behind our back is made again', async () => {
    const { plane, running } = fixture;
    const id = await running();
    const removed = await fixture.containerOf(id);
    await removed.remove({ force: true });
    await vi.waitFor(async () => {
      const { Id, State } = await (await fixture.containerOf(id)).inspect();
      expect(Id).not.toBe(removed.id);
      expect(State.Running).toBe(true);
    }, wait_options);
    expect(plane.power(id)).toMatch(/^(starting|running)$/);
  });
});

describe('the control plane', () => {
  it('gets a refusal for requests that are too late, of an older lease, or about an unknown server', async () => {
    const { plane, running } = fixture;
    const id = await running();
    expect(await operate(id, { lease: plane.lease - 1 })).toEqual({ status: 'stale' });
    expect(await operate(id, { not_after: new Date(Date.now() - 1).toISOString() })).toEqual({
      status: 'expired',
    });
    expect(await operate('Elsewhere')).toEqual({ status: 'invalid' });
    expect(await operate(id, { kind: 'dance' })).toEqual({ status: 'unknown_kind' });
    expect(await plane.type(id, 'say stale', plane.lease - 1)).toEqual({ delivered: false, why: 'stale' });
    expect(await plane.type('Elsewhere', 'say hello')).toEqual({ delivered: false, why: 'not_running' });
    expect(await plane.type(id, 'say one\nsay two')).toEqual({ delivered: false, why: 'failed' });
    expect(plane.power(id)).toBe('running');
  });

  it('receives the stats of a server that has viewers', async () => {
    const { plane, running } = fixture;
    const id = await running();
    const measured = await vi.waitFor(() => {
      const found = plane.stats.find(({ server_id, ram_mb }) => server_id === id && ram_mb > 0);
      expect(found).toBeDefined();
      return found!;
    }, wait_options);
    expect(measured).toMatchObject({ ram_limit_mb: 128, disk_limit_mb: 1024, players: null });
    expect(measured.cpu_percent).toBeGreaterThanOrEqual(0);
    // only some kilobytes
    expect(measured.disk_mb).toBeGreaterThan(0);
    expect(measured.disk_mb).toBeLessThan(1);
  });

  it('sends a new secret, which is stored and used from then on', async () => {
    const { plane } = fixture;
    const [line, lease] = [plane.socket!, plane.lease];
    expect(await line.timeout(20_000).emitWithAck('secret.rotate', { secret: 'another-secret' })).toEqual({
      ok: true,
    });
    line.disconnect(true);
    await vi.waitFor(() => expect(plane.lease).toBeGreaterThan(lease), wait_options);
    expect(plane.handshakes.at(-1)).toMatchObject({ secret: 'another-secret' });
  });

  it('learns that a deleted server was removed, container and folder', async () => {
    const { plane, running, data } = fixture;
    const id = await running();
    expect(existsSync(folderOf(data, id))).toBe(true);
    await plane.socket!.timeout(20_000).emitWithAck('spec.delete', { server_id: id });
    await vi.waitFor(() => expect(plane.of(id, 'server.deleted')).toHaveLength(1), wait_options);
    expect(existsSync(folderOf(data, id))).toBe(false);
    await expect((await fixture.containerOf(id)).inspect()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('receives the free memory of the machine', async () => {
    const { plane } = fixture;
    const { ram_mb, ram_free_mb } = await vi.waitFor(() => {
      const beat = plane.heartbeats.at(-1);
      expect(beat).toBeDefined();
      return beat!.facts;
    }, wait_options);
    expect(ram_free_mb).toBeGreaterThan(0);
    expect(ram_free_mb).toBeLessThan(ram_mb);
  });

  it('receives the ports of the range that are in use', async () => {
    const { plane } = fixture;
    const id = await fixture.running();
    const holder = createServer();
    await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
    const { port } = holder.address() as { port: number };
    await vi.waitFor(() => expect(plane.heartbeats.at(-1)?.ports_used).toContain(port), wait_options);
    expect(plane.heartbeats.at(-1)?.ports_used).not.toContain(plane.specs.get(id)?.port);
    expect(plane.heartbeats.at(-1)?.docker).toBe('up');
    await new Promise((done) => holder.close(done));
  });
});
