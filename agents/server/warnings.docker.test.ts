import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AgentFixture, agentFixture, freePort, serverId, wait_options } from '../testing/fixture.ts';
import { tinyServer } from '../testing/tiny-server.ts';

/** What an agent warns of and leaves running. That a stop was forced: `agent.docker.test.ts`. */
let fixture: AgentFixture;
let agent: { close(): void };
let slow_start_s = 1;
beforeAll(async () => {
  fixture = await agentFixture();
  agent = fixture.start({ kindOf: () => ({ ...tinyServer, slow_start_s }) });
});
afterAll(async () => {
  agent?.close();
  await fixture?.end();
});
const codes = (id: string) => fixture.plane.of(id, 'server.warning').map(({ data }) => data.code);

it('a start that takes long is reported once, and goes on', async () => {
  const id = serverId();
  await vi.waitFor(() => expect(fixture.plane.socket).not.toBeNull(), wait_options);
  // with a loader the program never says that players may join
  await fixture.plane.setDesired(id, { power: 'on', loader: 'fabric', port: await freePort() });
  await vi.waitFor(() => expect(codes(id)).toEqual(['slow_start']), wait_options);
  expect(fixture.plane.power(id)).toBe('starting');
});

it('a process beside the main one that ran out of memory is reported, and the server runs on', async () => {
  // a busy machine may take its time
  slow_start_s = 600;
  const id = await fixture.running({ ram_mb: 192 });
  await fixture.plane.type(id, 'oom-child');
  await fixture.printed(id, 'the child was killed by SIGKILL');
  await vi.waitFor(() => expect(codes(id)).toEqual(['oom_child']), wait_options);
  expect(fixture.plane.power(id)).toBe('running');
});
