import { expect, it } from 'vitest';
import { messages } from '#content/messages.ts';
import { kindOffers, loadersFor } from '#db/hosting/server-kinds/rules.ts';
import { loaderName } from './loader-name.ts';

const english = messages('en-US');

it('names a server without a loader as the plain game, not as a shader', () => {
  expect(loaderName(english, null)).toBe('Vanilla');
  expect(loaderName(english, 'vanilla')).toBe('Vanilla');
});

it('names every loader that a server can be ordered with, and none by its slug', () => {
  const all = Object.keys(kindOffers).flatMap((kind) => {
    const { game_versions } = kindOffers[kind as keyof typeof kindOffers];
    return game_versions.flatMap((version) => loadersFor(kind as keyof typeof kindOffers, version));
  });
  expect(all).toContain('neoforge');
  for (const loader of all) expect(loaderName(english, loader)).not.toBe(loader);
  expect(loaderName(english, 'somethingelse')).toBe('somethingelse');
});
