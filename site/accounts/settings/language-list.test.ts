import { describe, expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { languages } from '../../platform/text/languages.ts';
import { choicesOf, folded, isFound } from './language-list.ts';

const row = (tag: string, name: string, group: 'standard' | 'fun' = 'standard') =>
  ({ tag, name, dir: 'ltr', formatting: tag, search: 'azerbaijani azeri', group }) as const;

describe('finding a language', () => {
  const words = folded('az-AZ Azərbaycan Azerbaijani (Azerbaijan) Íslenska tiếng');
  test.each([
    ['', true],
    ['AZER', true],
    ['  islenska ', true],
    ['tieng azeri', false],
    ['tieng azerb', true],
    ['az-az', true],
    ['german', false],
  ])('%j: %s', (typed, found) => {
    expect(isFound(typed, words)).toBe(found);
  });

  test('a language is also found by its name in the language of the page', () => {
    const { search_text } = choicesOf(messages('en-US'), [row('nl-NL', 'Nederlands')], 'standard')[0]!;
    expect(isFound('dutch', search_text)).toBe(true);
  });
});

test('a group lists its languages by their own names, with the name in the language of the page', () => {
  const rows = [row('nl-NL', 'Nederlands'), row('fr-FR', 'Français'), row('en-PT', 'Pirate', 'fun')];
  const displayed = choicesOf(messages('en-US'), rows, 'standard').map(({ tag, translated }) => [
    tag,
    translated,
  ]);
  expect(displayed).toEqual([
    ['fr-FR', 'French (France)'],
    ['nl-NL', 'Dutch (Netherlands)'],
  ]);
  expect(choicesOf(messages('en-US'), rows, 'fun').map(({ translated }) => translated)).toEqual(['']);
});

test('a name is not repeated', () => {
  const [english] = choicesOf(messages('en-US'), languages, 'standard').filter(({ tag }) => tag === 'en-US');
  expect(english).toMatchObject({ name: 'English (United States)', translated: '' });
});
