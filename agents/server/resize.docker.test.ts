import { cpus } from 'node:os';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AgentFixture, agentFixture, wait_options } from '../testing/fixture.ts';

/** A new size for a running server. */
let fixture: AgentFixture;
let agent: { close(): void };

beforeAll(async () => {
  fixture = await agentFixture();
  agent = fixture.start();
});
afterAll(async () => {
  agent?.close();
  await fixture?.end();
});

const resized = (id: string) => fixture.plane.of(id, 'server.resized').map(({ data }) => data);
const told = (id: string, count: number) =>
  vi.waitFor(() => expect(resized(id)).toHaveLength(count), wait_options);
/** Memory limit in megabytes, as the process itself sees it. */
async function seenFromInside(id: string, count: number): Promise<number> {
  await fixture.plane.type(id, 'self');
  return await vi.waitFor(() => {
    const lines = fixture.plane.texts(id).filter((text) => text.startsWith('{'));
    expect(lines).toHaveLength(count);
    return (JSON.parse(lines.at(-1)!) as { memory_mb: number }).memory_mb;
  }, wait_options);
}

it('applies at once inside the container without a restart; its environment waits for the next start', async () => {
  const { plane, running, power, printed, containerOf } = fixture;
  const id = await running({ ram_mb: 128, cpu_millis: 500 });
  const before = await (await containerOf(id)).inspect();
  expect(await seenFromInside(id, 1)).toBe(128);

  const { generation } = await plane.setDesired(id, {
    ram_mb: 192,
    swap_mb: 64,
    cpu_millis: 750,
    resize_seq: 1,
  });
  await told(id, 1);
  expect(resized(id)).toEqual([{ generation, at_start: false }]);
  expect(await seenFromInside(id, 2)).toBe(192);
  const now = await (await containerOf(id)).inspect();
  expect([now.Id, now.State.StartedAt]).toEqual([before.Id, before.State.StartedAt]);
  expect(now.HostConfig).toMatchObject({
    MemorySwap: 256 * 1024 * 1024,
    NanoCpus: 750_000_000,
    PidsLimit: 128,
  });
  expect(plane.powers(id)).toEqual(['starting', 'running']);

  // memory is not reduced below what it uses while it runs, cores are
  await plane.type(id, 'hold 80');
  await printed(id, `holding ${80 * 1024 * 1024}`);
  await plane.setDesired(id, { ram_mb: 64, swap_mb: 0, cpu_millis: 400, resize_seq: 2 });
  await told(id, 2);
  expect(resized(id)[1]).toMatchObject({ at_start: true });
  expect(await seenFromInside(id, 3)).toBe(192);
  expect((await (await containerOf(id)).inspect()).HostConfig).toMatchObject({ NanoCpus: 400_000_000 });

  // part of its environment changes with the size
  await plane.setDesired(id, { ram_mb: 160, loader: 'other', resize_seq: 3 });
  await told(id, 3);
  expect(resized(id)[2]).toMatchObject({ at_start: true });
  expect(await seenFromInside(id, 4)).toBe(160);
  expect(plane.powers(id)).toEqual(['starting', 'running']);

  await plane.setDesired(id, { power: 'off', resize_seq: 4, ram_mb: 96 });
  await power(id, 'stopped');
  await plane.setDesired(id, { power: 'on', loader: null });
  await power(id, 'running');
  expect(await seenFromInside(id, 1)).toBe(96);
  expect(resized(id), 'a fresh container has its size from the start').toHaveLength(3);
});

it('with more cores than the machine has, as on an overcommitted node, gets all there are', async () => {
  const { running, containerOf } = fixture;
  const all = cpus().length;
  const id = await running({ cpu_millis: (all + 2) * 1000 });
  expect((await (await containerOf(id)).inspect()).HostConfig.NanoCpus).toBe(all * 1e9);
});
