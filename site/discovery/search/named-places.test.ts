import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { placePath, placesNamed } from './named-places.ts';

const named = (text: string, locale = 'en-US') =>
  placesNamed(messages(locale), text).map(
    (place) => `${place.name} ${placePath(place)}${place.exact ? ' !' : ''}`,
  );

test('a type is named by its singular, its plural, another word for it, and what is typed so far', () => {
  for (const text of ['shader', 'Shaders', ' SHADER ', 'shader pack'])
    expect(named(text)[0]).toBe('Shaders /shaders !');
  expect(named('shad')).toContain('Shaders /shaders');
  expect(named('texture packs')[0]).toBe('Resource packs /resourcepacks !');
  expect(named('datapack')[0]).toBe('Data packs /datapacks !');
  expect(named('data-packs')[0]).toBe('Data packs /datapacks !');
});

test('a category is named by any of its words, once for each type that has it', () => {
  expect(named('optimization')).toEqual(
    ['mods', 'modpacks', 'plugins', 'datapacks'].map((type) => `Optimization /${type}?f=optimization !`),
  );
  expect(named('mechanics')).toContain('Game mechanics /mods?f=game-mechanics');
  expect(named('16x')).toContain('16x /resourcepacks?f=16x !');
});

test('names are those of the page language, and of English', () => {
  expect(named('مظللات', 'ar-SA')[0]).toBe('مظللات /shaders !');
  expect(named('shader', 'ar-SA')).toContain('مظللات /shaders !');
  expect(named('ressourcen', 'de-DE')).toEqual(['Ressourcenpakete /resourcepacks']);
  expect(named('shader', 'de-DE')[0]).toBe('Shader /shaders !');
});

test('one letter, punctuation and unknown words name nothing', () => {
  for (const text of ['', 'm', '!?', 'lanternroot', 'の', 'constructor', 'a'.repeat(2000)])
    expect(named(text)).toEqual([]);
});
