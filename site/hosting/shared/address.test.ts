import { expect, it } from 'vitest';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { addressText } from './state.ts';

const at = (port: number, subdomain: string | null = null) =>
  ({ address: { host: 'play.example', port }, subdomain }) as ServerView;

it('shows a name without a port where names are offered, else host and port', () => {
  expect(addressText(at(25_601, 'long-way'), 'servers.example.org')).toBe('long-way.servers.example.org');
  expect(addressText(at(25_601, 'long-way'), null)).toBe('play.example:25601');
  expect(addressText(at(25_601), 'servers.example.org')).toBe('play.example:25601');
  expect(addressText(at(25_565))).toBe('play.example');
  expect(addressText({ ...at(1, 'long-way'), address: null }, 'servers.example.org')).toBeNull();
});
