import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { DockerConnection } from './client.ts';
import { server_network, serverNetwork } from './network.ts';

const options = {
  'com.docker.network.bridge.name': server_network.bridge,
  'com.docker.network.bridge.enable_icc': 'false',
};
/** An engine that has the network already. */
const connection = {
  api: { getNetwork: () => ({ inspect: async () => ({ Options: options }) }) },
} as unknown as DockerConnection;

const network = (allow_private: boolean, reason: string | null) => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  return { lines, ...serverNetwork(connection, { log, allow_private, filter: async () => reason }) };
};

it('starts nothing without rules, and says why once', async () => {
  const open = network(false, 'only root may set firewall rules');
  expect(open.hasRules()).toBeNull();
  for (let time = 0; time < 2; time++)
    await expect(open.prepare()).rejects.toMatchObject({
      code: 'network_open',
      message: 'only root may set firewall rules',
    });
  expect(open.hasRules()).toBe(false);
  expect(open.lines).toHaveLength(1);
});

it('starts without rules where the operator allowed it, and tells that they lack', async () => {
  const open = network(true, 'only root may set firewall rules');
  await open.prepare();
  expect(open.hasRules()).toBe(false);
  expect(open.lines).toHaveLength(1);
});

it('starts with rules', async () => {
  const closed = network(false, null);
  await closed.prepare();
  expect([closed.hasRules(), closed.lines]).toEqual([true, []]);
});
