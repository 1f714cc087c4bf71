import { describe, expect, it } from 'vitest';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { presetFor, whyNotFit } from './fit.ts';

const server = (loader: string | null, more: Partial<ServerView> = {}) =>
  ({ lifecycle: 'ready', state: 'stopped', game_version: '1.21.4', loader, ...more }) as ServerView;
const mod = { loaders: ['fabric'], game_versions: ['1.21.4', '1.20.1'] };
const plugin = { loaders: ['bukkit', 'spigot'], game_versions: ['1.21.4'] };

describe('whether a project fits a server', () => {
  it.each([
    ['fabric', [mod], null],
    ['quilt', [mod], null],
    ['forge', [mod], 'wrong_loader'],
    [null, [mod], 'wrong_loader'],
    ['paper', [plugin], null],
    ['fabric', [{ ...mod, game_versions: ['1.16.5'] }], 'wrong_game_version'],
    ['fabric', [{ ...mod, game_versions: ['1.16.5'] }, mod], null],
    [null, [{ loaders: ['datapack'], game_versions: ['1.21.4'] }], null],
    ['fabric', [], 'wrong_loader'],
  ])('%s with %j', (loader, versions, why) => {
    expect(whyNotFit(server(loader), versions, false)?.why ?? null).toBe(why);
  });
  it('a modpack fits every server that can be changed', () => {
    expect(whyNotFit(server(null), [], true)).toBe(null);
    expect(whyNotFit(server('fabric', { state: 'unknown' }), [mod], true)).toEqual({
      why: 'state',
      code: 'server_unreachable',
    });
  });
});

it('orders a server that runs the newest version that any can', () => {
  expect(presetFor('local', [mod])).toEqual({ game_version: '1.21.4', loader: 'fabric' });
  expect(presetFor('local', [plugin])).toEqual({ game_version: '1.21.4', loader: 'paper' });
  expect(presetFor('local', [{ loaders: ['datapack'], game_versions: ['1.20.2'] }])).toMatchObject({
    ...{ game_version: '1.20.2', loader: 'vanilla' },
  });
  const newest = { loaders: ['fabric'], game_versions: ['26.1', '26.2'] };
  expect(presetFor('itzg', [newest, mod])).toEqual({ game_version: '26.2', loader: 'fabric' });
  expect(presetFor('local', [newest, mod])).toEqual({ game_version: '1.21.4', loader: 'fabric' });
  // what runs only on later versions than a kind offers is not ordered with another one
  expect(presetFor('local', [newest])).toBe(null);
  expect(presetFor('local', [{ loaders: ['fabric'], game_versions: ['b1.7.3'] }])).toBe(null);
});
