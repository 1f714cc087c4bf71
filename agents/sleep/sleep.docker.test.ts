import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ensureImage } from '../images/ensure-image.ts';
import { kindOf } from '../plan/kinds.ts';
import { ping } from '../server/status-ping.ts';
import { type AgentFixture, agentFixture, freePort, wait_options } from '../testing/fixture.ts';
import { loginOf, motdAt } from '../testing/game-client.ts';
import { joinGame } from '../testing/minecraft-bot.ts';

/** The demo's own game server falls asleep under the agent, and a real player wakes it. */
const host = '127.0.0.1';
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

it('sleeps when empty, is woken once by a join or a flood, and its listener survives the agent', async () => {
  const { plane, running, printed } = fixture;
  const port = await freePort();
  const sleep = { after_minutes: 0.05, motd: 'Shh, it sleeps' };
  const id = await running({ ram_mb: 512, game_version: '1.16.5', port, sleep });
  const asleep = (times: number) =>
    vi.waitFor(
      () =>
        expect(plane.of(id, 'server.power').filter(({ data }) => data.sleeping === true)).toHaveLength(times),
      wait_options,
    );
  const starts = () => plane.of(id, 'server.power').filter(({ data }) => data.woken === true).length;

  await asleep(1);
  await printed(id, 'fell_asleep 0.05');
  await vi.waitFor(
    async () => expect(await motdAt({ host, port })).toContain('Shh, it sleeps'),
    wait_options,
  );
  await vi.waitFor(() => expect(plane.heartbeats.at(-1)?.ports_used).not.toContain(port), wait_options);

  const bot = await joinGame({ host, port }, 'Mirelle', { version: '1.16.5' });
  expect([starts(), plane.power(id)]).toEqual([1, 'running']);
  await printed(id, 'woken');
  bot.chat('good morning');
  await vi.waitFor(
    () => expect(plane.texts(id).some((text) => text.includes('<Mirelle> good morning'))).toBe(true),
    wait_options,
  );
  await bot.leave();

  await asleep(2);
  agent.close();
  agent = fixture.start({ kindOf, ensureImage });
  await vi.waitFor(
    async () => expect(await motdAt({ host, port })).toContain('Shh, it sleeps'),
    wait_options,
  );

  const login = loginOf({ host, port }, 'Flood');
  const flood = Array.from({ length: 200 }, (_, index) => {
    const socket = connect({ host, port, localAddress: `127.0.1.${1 + (index % 20)}` });
    socket.on('error', () => {}).resume();
    socket.write(login);
    return socket;
  });
  await vi.waitFor(() => expect(plane.power(id)).toBe('running'), wait_options);
  expect(starts()).toBe(2);
  for (const socket of flood) socket.destroy();
  await vi.waitFor(async () => expect(await ping(host, port)).not.toBeNull(), wait_options);

  await asleep(3);
  await plane.setDesired(id, { power: 'off' });
  await vi.waitFor(async () => expect(await ping(host, port)).toBeNull(), wait_options);
  expect(plane.power(id)).toBe('stopped');
}, 240_000);
