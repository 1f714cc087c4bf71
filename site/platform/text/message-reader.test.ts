import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { languageRows, type MessageKey, messageKeys, messages, messageText } from '#content/messages.ts';
import { resultPrefixes } from '../../discovery/search/result-prefixes.ts';
import { boardPrefixes } from '../../hosting/nodes/board-prefixes.ts';
import { panelPrefixes } from '../../hosting/shared/panel-prefixes.ts';
import { messageReader } from './message-reader.ts';

const prefixes = [
  ...panelPrefixes,
  ...boardPrefixes,
  ...resultPrefixes,
  'suggest.',
  'download.',
  'shell.',
  'home.',
  'error.',
];

describe('reading texts of an island', () => {
  const names = (text: string): string[] => [
    ...new Set([...text.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => name!)),
  ];
  it.each(languageRows.map(({ tag }) => tag))('says in %s what the server says', (tag) => {
    const server = messages(tag);
    const reader = messageReader(islandMessages(server, ...prefixes));
    const keys = messageKeys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
    expect(keys.length).toBeGreaterThan(200);
    const numbers = [0, 1, 2, 3, 5, 11, 21, 100, 1_234, 1_000_000];
    for (const key of keys as MessageKey[]) {
      for (const number of names(messageText(tag, key)).length > 0 ? numbers : [0]) {
        const values = Object.fromEntries(names(messageText(tag, key)).map((name) => [name, number]));
        expect(reader.t(key, values), key).toBe(server.t(key, values));
      }
    }
  });

  const of = (texts: Parameters<typeof messageReader>[0]['texts']) =>
    messageReader({ formatting: 'en-US', texts }) as unknown as ReturnType<typeof messageReader<'error.'>>;
  const key = 'error.not_found';

  it('keeps elements as they are, and names a value that is not given', () => {
    const element = { element: true };
    const reader = of({ [key]: ['by ', ['author'], ' of ', ['kind']] });
    expect(reader.parts(key, { author: element })).toEqual(['by ', element, ' of ', '{kind}']);
    expect(of({}).t(key)).toBe(key);
  });

  it('never fails for any value', () => {
    const reader = of({ [key]: [['count', { one: [0, ' stone'], other: [0, ' stones'] }]] });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double()), (count) => reader.t(key, { count }).length > 0),
    );
  });

  it('tells plain texts from those with values and from none', () => {
    const reader = of({ 'error.a': 'text', 'error.b': [['x']] });
    expect(['error.a', 'error.b', 'error.c', 'toString'].map(reader.isPlain)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
