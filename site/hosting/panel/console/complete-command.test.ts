import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../core/apply-update.ts';
import { complete, slotsOf } from './complete-command.ts';
import { knownPlayers } from './suggest.ts';

const commands = [
  { name: 'ban', usage: '<targets> [<reason>]' },
  { name: 'ban-ip', usage: '<target> [<reason>]' },
  { name: 'gamemode', usage: '<survival|creative|adventure> [player]' },
  { name: 'help', usage: '[command]' },
  { name: 'list', usage: '[uuids]' },
  { name: 'stop', usage: '' },
  { name: 'teleport', usage: '(<location>|<destination>|<targets>)' },
  { name: 'time', usage: '(add|query|set)' },
  { name: 'weather', usage: '(clear|rain|thunder) [<duration>]' },
  { name: 'whitelist', usage: '(add|list|off|on|reload|remove)' },
];
const players = () => ['tamsin', 'Fen'];
const texts = (text: string) => complete(text, commands, players).map((one) => one.text);

describe('completion', () => {
  it.each([
    ['we', ['weather']],
    ['W', ['weather', 'whitelist']],
    ['/we', ['/weather']],
    ['weather', ['weather clear', 'weather rain', 'weather thunder']],
    ['weather ', ['weather clear', 'weather rain', 'weather thunder']],
    ['weather cl', ['weather clear']],
    ['weather C', ['weather clear']],
    ['/weather r', ['/weather rain']],
    ['weather clear', []],
    ['weather clear ', []],
    ['weather clear 12 x', []],
    ['ban', ['ban-ip']],
    ['ban ', ['ban tamsin', 'ban Fen']],
    ['ban f', ['ban Fen']],
    ['teleport t', ['teleport tamsin']],
    ['gamemode ', ['gamemode survival', 'gamemode creative', 'gamemode adventure']],
    ['gamemode creative T', ['gamemode creative tamsin']],
    ['stop', []],
    ['help ', []],
    ['nothing', []],
    ['say we', []],
    ['', []],
    ['/', []],
    [' we', []],
  ])('of “%s”', (text, found) => {
    expect(texts(text)).toEqual(found);
  });

  it('says whether the command takes more', () => {
    expect(complete('st', commands, players)).toEqual([{ text: 'stop', is_partial: false }]);
    expect(complete('we', commands, players)).toEqual([{ text: 'weather', is_partial: true }]);
    expect(complete('weather c', commands, players)).toEqual([{ text: 'weather clear', is_partial: true }]);
    expect(complete('time a', commands, players)).toEqual([{ text: 'time add', is_partial: false }]);
  });

  it('shows eight, asks for players only where one may stand, and continues what was typed', () => {
    const many = Array.from({ length: 50 }, (_, n) => ({ name: `cmd${n}`, usage: '' }));
    expect(complete('c', many, players)).toHaveLength(8);
    const none = () => {
      throw new Error('not asked');
    };
    expect(complete('weather ', commands, none)).toHaveLength(3);
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        for (const one of complete(text, commands, players)) {
          expect(one.text.toLowerCase().startsWith(text.toLowerCase())).toBe(true);
          expect(one.text).not.toBe(text);
        }
      }),
    );
  });
});

describe('the arguments of a command', () => {
  it.each([
    ['(clear|rain|thunder) [<duration>]', [['clear', 'rain', 'thunder'], []]],
    ['<survival|creative> [player ...]', [['survival', 'creative'], []]],
    ['[<targets>] (add|(set|get)|<value>)', [[], ['add', 'set', 'get']]],
    ['set <x y z> [true|false]', [['set'], [], ['true', 'false']]],
    ['(((', [[]]],
    ['a|b> <c', [['a'], []]],
    ['', []],
  ])('“%s”', (usage, words) => {
    expect(slotsOf(usage).map((slot) => slot.words)).toEqual(words);
  });

  it('are read from any text without an error', () => {
    const odd = fc.string({
      unit: fc.constantFrom('(', ')', '[', ']', '<', '>', '|', ' ', 'a'),
      maxLength: 40,
    });
    fc.assert(fc.property(odd, (usage) => void slotsOf(usage)));
  });
});

it('knows the players of the running process by its lines', () => {
  const line = (text: string, at: number): Row => ({
    kind: 'line',
    key: `${at}`,
    line: { seq: at, at, stream: text.startsWith('say') ? 'in' : 'out', text },
  });
  const rows = [
    '[19:06:38] [Server thread/INFO]: old joined the game',
    '',
    '[19:06:38] [Server thread/INFO]: tamsin joined the game',
    '[19:06:39 INFO]: fen joined the game',
    '[19:06:39 INFO]: <fen> gus joined the game',
    '[19:06:40] [INFO]: .bedrock joined the game.',
    '[19:06:41] [Server thread/INFO]: fen left the game',
    'say ada joined the game',
  ].map((text, at): Row => (text === '' ? { kind: 'fresh', key: 'fresh' } : line(text, at)));
  expect(knownPlayers(rows)).toEqual(['.bedrock', 'tamsin']);
});
