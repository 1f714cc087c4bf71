import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ensureImage } from '../images/ensure-image.ts';
import { type AgentFixture, agentFixture, wait_options } from '../testing/fixture.ts';
import { kindOf } from './kinds.ts';

/** The demo's own game server under the agent. */
let fixture: AgentFixture;
let agent: { close(): void };
beforeAll(async () => {
  fixture = await agentFixture();
  agent = fixture.start({ kindOf, ensureImage });
});
afterAll(async () => {
  agent?.close();
  await fixture?.end();
});

it('a real game server is installed, done by its own words, counted and stopped', async () => {
  const { plane, running, power } = fixture;
  const id = await running({ ram_mb: 512, game_version: '1.16.5' });
  const up = plane.of(id, 'server.power').find(({ data }) => data.power === 'running')!;
  expect(up.data.duration_s).toBeGreaterThan(0);
  await vi.waitFor(
    () => expect(plane.stats.at(-1)?.players).toEqual({ online: 0, names: [], most: expect.any(Number) }),
    wait_options,
  );
  await plane.setDesired(id, { power: 'off' });
  await power(id, 'stopped');
  expect(plane.of(id, 'server.power').at(-1)?.data.exit_code).toBe(0);
});
