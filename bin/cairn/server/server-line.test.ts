import { expect, it } from 'vitest';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { serverLine } from './server-line.ts';

const server = {
  ...{ id: 'a1b2c3d4', name: 'Valley', plan: 'small', node: 'local', lifecycle: 'ready', state: 'running' },
  lifecycle_data: {},
  address: { host: '127.0.0.1', port: 25600 },
} as unknown as ServerView;

it('says the state of a server in the words of its panel', () => {
  expect(serverLine(server)).toEqual({
    ...{ id: 'a1b2c3d4', name: 'Valley', state: 'Running', plan: 'small' },
    ...{ address: '127.0.0.1:25600', node: 'local' },
  });
  const state = (changes: Partial<ServerView>) => serverLine({ ...server, ...changes }).state;
  expect([
    state({ state: 'crashed' }),
    state({ state: 'unknown' }),
    state({ lifecycle: 'broken', state: 'stopped' }),
    state({ lifecycle: 'suspended', state: 'stopped' }),
    state({ lifecycle: 'provisioning', state: 'installing' }),
  ]).toEqual(['Crashed', 'Unreachable', 'Setup failed', 'Suspended', 'Finding a machine']);
});
