import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import type { GameVersion } from '#db/catalogue/tags/read.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { filterOptions } from './filter-options.ts';

const version = (game_versions: string[], loaders: string[]) =>
  ({ game_versions, loaders, version_type: 'release' }) as unknown as Version;
const games = ['1.21', '1.20', '1.19'].map((name) => ({ version: name }) as GameVersion);
const choices = filterOptions(
  messages('en-US'),
  [version(['1.19'], ['neoforge']), version(['1.21', '1.19'], ['fabric'])],
  games,
);

test('only values that some version has are offered, game versions newest first', () => {
  expect(choices.game_versions.values).toEqual(['1.21', '1.19']);
  expect(choices.loaders.values).toEqual(['fabric', 'neoforge']);
});

test('values have labels, and an unknown value is shown as requested', () => {
  expect(choices.loaders.name('neoforge')).toBe('NeoForge');
  expect(choices.channels.name('beta')).toBe('Beta');
  expect(choices.channels.name('constructor')).toBe('constructor');
});
