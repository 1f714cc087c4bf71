import { demoAccounts } from '../db/demo/demo.ts';
import { overlays } from './overlays.ts';
import { statesOf } from './page-states.ts';
import { pages, readerOf } from './pages.ts';
import type { Scene } from './scene.ts';

/** The pages of a server's panel; the address of the server comes first. */
const panelParts = [
  ...['', '/options', '/content', '/files', '/players', '/backups', '/performance', '/schedules'],
  ...[
    'general',
    'loader',
    'startup',
    'network',
    'properties',
    'sleep',
    'alerts',
    'preferences',
    'info',
    'billing',
  ].map((part) => `/options/${part}`),
  ...['/access', '/access/activity'],
] as const;

/** Every page in its usual state, the overlays, the panel of a server at `server`, and the states of `page-states.ts`. */
export function scenesWith(server: string): Scene[] {
  const usual: Scene[] = [
    ...pages.map((kind) => ({
      name: kind.path,
      path: kind.path,
      reader: readerOf(kind),
      state: 'usual' as const,
    })),
    ...panelParts.map((part) => ({
      ...{ name: `panel${part}`, path: server + part, reader: 'renter', state: 'usual' as const },
    })),
    { name: '/servers/manage', path: '/servers/manage', reader: 'renter', state: 'usual' },
    { name: '/servers/admin', path: '/servers/admin', reader: demoAccounts[0]!, state: 'usual' },
    {
      name: '/servers/admin/servers',
      path: '/servers/admin/servers',
      reader: demoAccounts[0]!,
      state: 'usual',
    },
    { name: '/admin', path: '/admin', reader: demoAccounts[0]!, state: 'usual' },
    { name: '/admin/audit', path: '/admin/audit', reader: demoAccounts[0]!, state: 'usual' },
    ...overlays.map((scene) => ({ reader: null, state: 'usual' as const, ...scene })),
  ];
  return usual.flatMap((scene) => [scene, ...statesOf(scene)]);
}
