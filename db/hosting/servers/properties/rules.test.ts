import { describe, expect, it } from 'vitest';
import { propertyDefinitions } from './data/definitions.ts';
import { whyNotProperties, whyNotProperty } from './rules.ts';

describe('whyNotProperty', () => {
  it.each([
    ['max-players', '20', null],
    ['max-players', '-1', 'range'],
    ['max-players', '1001', 'range'],
    ['max-players', 'many', 'integer'],
    ['max-players', '1.5', 'integer'],
    ['max-players', '', 'integer'],
    ['pvp', 'true', null],
    ['pvp', 'TRUE', 'boolean'],
    ['difficulty', 'hard', null],
    ['difficulty', 'insane', 'choice'],
    ['motd', '§6Two\nlines', null],
    ['motd', 'x'.repeat(501), 'long'],
    ['motd', 'bell\u0007', 'control'],
    ['motd', '\ud800', 'control'],
    ['level-name', '../etc', 'folder'],
    ['level-name', '..', 'folder'],
    ['level-name', '', 'folder'],
    ['level-name', 'My world', null],
    ['resource-pack', 'ftp://example.org/a.zip', 'url'],
    ['resource-pack', 'https://example.org/a.zip', null],
    ['resource-pack-sha1', 'abc', 'sha1'],
    ['server-port', '25565', null],
    ['server-port', '25566', 'fixed'],
    ['enable-rcon', 'true', 'fixed'],
    ['some-mod-key', 'anything', null],
    ['some-mod-key', 'x'.repeat(4_001), 'long'],
    ['', 'x', 'key'],
    ['a=b', 'x', 'key'],
    ['a b', 'x', 'key'],
    ['__proto__', 'x', null],
  ])('%s=%j: %s', (key, value, why) => {
    expect(whyNotProperty(key, value)).toBe(why);
  });

  it('accepts every default of its own', () => {
    for (const [key, { default: usual }] of Object.entries(propertyDefinitions))
      expect([key, whyNotProperty(key, usual)]).toEqual([key, null]);
  });

  it('names the first change that is not possible', () => {
    expect(whyNotProperties({ pvp: 'true', difficulty: 'x', 'max-players': 'y' })).toEqual({
      key: 'difficulty',
      why: 'choice',
    });
  });
});
