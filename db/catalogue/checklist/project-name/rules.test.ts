import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loaders } from '../../tags/rules.ts';
import { namesGame, namesTechnical } from './rules.ts';

const known = JSON.parse(
  readFileSync(new URL('../../tags/game-versions.json', import.meta.url), 'utf8'),
) as Array<{ version: string; version_type: string }>;
/** Jokes of the game's makers, whose names are words. */
const jokes = /^(?:2point0|3D|1\.RV)|[a-z]{5,}|_/i;

describe('technical information in a name', () => {
  test('is every known game version, after a name of any length', () => {
    const versions = known.map(({ version }) => version).filter((version) => !jokes.test(version));
    expect(versions.length).toBeGreaterThan(300);
    const missed = versions.filter(
      (version) => !namesTechnical(`Lanterns of the long dark valley ${version}`),
    );
    expect(missed).toEqual([]);
  });

  test('is every loader that it is said to be for', () => {
    const names = loaders.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !namesTechnical(`Lanterns of the long dark valley for ${name}`))).toEqual(
      [],
    );
    expect(names.filter((name) => !namesTechnical(`[${name}] Lanterns`))).toEqual([]);
  });

  test.each([
    ...[
      'Lanterns 1.21',
      'Lanterns 26.1',
      'Lanterns [26.2.x]',
      'Lanterns (1.20.1-1.21)',
      'Lanterns v2.0',
      'MC1.20 Lanterns',
    ],
    ...[
      'Lanterns NeoForge',
      'Lanterns - Fabric',
      'Lanterns (Forge/Fabric)',
      'Lanterns | Quilt',
      'Velocity edition',
    ],
  ])('is in %s', (title) => {
    expect(namesTechnical(title)).toBe(true);
  });

  test.each([
    ...[
      'Lanterns',
      'Lanterns 2',
      'Waterfall Biomes',
      'Canvas and Paint',
      'Iris Flowers',
      'Rift Walkers',
      'Wet Sponge',
    ],
    ...[
      '2.5D Lanterns',
      'Forgery',
      'Fabrics of the East',
      'Paperback',
      'Terminal Velocity',
      'Area 51',
      '24 Hours',
    ],
  ])('is not in %s', (title) => {
    expect(namesTechnical(title)).toBe(false);
  });
});

test.each([
  ['Minecraft Lanterns', true],
  ['Lanterns and other lights for the long nights of Minecraft', true],
  ['MINECRAFT', true],
  ['Lanterns', false],
  ['Mine and Craft', false],
])('the name of the game is in %s: %s', (title, named) => {
  expect(namesGame(title)).toBe(named);
});
