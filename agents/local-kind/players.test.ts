import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { offlineUuid, Players, type Visitor } from './players.ts';
import { withWhitelist } from './properties.ts';

let data: string;
let there: Visitor[];
let kicked: string[];
let said: string[];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'cairn-players-'));
  [there, kicked, said] = [[], [], []];
});
afterEach(() => rmSync(data, { recursive: true }));

const visitor = (name: string, address = '203.0.113.5'): Visitor => ({
  name,
  uuid: offlineUuid(name),
  address,
});
const open = (rules: object = {}) =>
  new Players(data, {
    rules: { whitelist: false, enforced: false, level: 4, online_mode: false, ...rules },
    online: { players: () => there, kick: (name, reason) => kicked.push(`${name}: ${reason}`) },
    say: (line) => said.push(line),
  });
const file = (name: string) => JSON.parse(readFileSync(join(data, name), 'utf8')) as object[];

it('makes the id that the game makes', () => {
  expect(offlineUuid('Notch')).toBe('b50ad385-829d-3141-a216-7e7d7539ba7f');
});

it('bans by name and by address, also who is there, in any case', () => {
  there = [visitor('Odo')];
  const players = open();
  expect(players.ban('odo')).toBe('Banned Odo: Banned by an operator.');
  expect(kicked).toEqual(['Odo: You are banned from this server']);
  expect(players.ban('ODO')).toBe('Nothing changed. The player is already banned');
  expect(players.banAddress('Odo spam')).toBe('Banned IP 203.0.113.5: spam');
  expect(open().whyNotJoin(visitor('Eve'))).toBe('Your IP address is banned from this server.\nReason: spam');
  expect(players.pardonAddress('203.0.113.5')).toBe('Unbanned IP 203.0.113.5');
  expect(players.banAddress('nobody')).toBe('Invalid IP address or unknown player');
  expect(players.pardon('ODO')).toBe('Unbanned Odo');
  expect(open().whyNotJoin(visitor('Odo'))).toBeNull();
});

it('lets a ban end at its time', () => {
  const ban = { uuid: offlineUuid('Odo'), name: 'Odo', reason: 'x' };
  writeFileSync(
    join(data, 'banned-players.json'),
    JSON.stringify([{ ...ban, expires: '2020-01-01 00:00:00 +0000' }]),
  );
  expect(open().whyNotJoin(visitor('Odo'))).toBeNull();
});

it('keeps fields that it does not know, and says that a file is broken', () => {
  writeFileSync(join(data, 'whitelist.json'), JSON.stringify([{ uuid: 'x', name: 'Eve', note: 'kept' }]));
  writeFileSync(join(data, 'ops.json'), '{');
  const players = open();
  expect(said).toEqual([expect.stringContaining('ops.json')]);
  expect(players.whitelist('add Odo', () => {})).toBe('Added Odo to the whitelist');
  expect(file('whitelist.json')).toMatchObject([{ note: 'kept' }, { name: 'Odo', uuid: offlineUuid('Odo') }]);
  expect(players.whitelist('remove EVE', () => {})).toBe('Removed Eve from the whitelist');
});

it('admits operators and listed players while the whitelist is on, and enforces it', () => {
  there = [visitor('Odo'), visitor('Eve')];
  const players = open({ enforced: true });
  players.op('Eve');
  expect(file('ops.json')).toMatchObject([{ level: 4 }]);
  let kept: boolean | null = null;
  const set = (on: boolean) => {
    kept = on;
  };
  expect(players.whitelist('on', set)).toBe('Whitelist is now turned on');
  expect(kept).toBe(true);
  expect(kicked).toEqual(['Odo: You are not white-listed on this server!']);
  expect(players.whitelist('on', set)).toBe('Whitelist is already turned on');
  expect(players.deop('Odo')).toContain('not an operator');
});

it('does not know players that have to have an account', () => {
  expect(open({ online_mode: true }).op('Odo')).toBe('That player does not exist');
});

it('changes one line of the properties', () => {
  expect(withWhitelist('#a\nwhite-list = false\nmotd=x\n', true)).toBe('#a\nwhite-list=true\nmotd=x\n');
  expect(withWhitelist('motd=x', false)).toBe('motd=x\nwhite-list=false\n');
});
