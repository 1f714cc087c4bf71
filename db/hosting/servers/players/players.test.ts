import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicRequester } from '../../../platform/runtime/public-request.ts';
import { answerOf } from './answers.ts';
import { offlineProfile } from './profile.ts';
import { ProfileService } from './profile-service.ts';
import { commandOf, isAddress, isPlayerName, whyNotPlayersChange } from './rules.ts';

const change = (given: object) => ({ action: 'ban' as const, who: 'Odo', reason: '', level: null, ...given });

describe('rules for players', () => {
  it.each(['Odo', 'a_1', 'x'.repeat(16)])('knows %j as a name', (name) =>
    expect(isPlayerName(name)).toBe(true),
  );
  it.each(['ab', 'x'.repeat(17), 'Odo ', 'Odo\n', 'Odó', '@a', '', null, 7])(
    'does not know %j as a name',
    (name) => expect(isPlayerName(name)).toBe(false),
  );
  it.each(['203.0.113.5', '::1', '2001:db8::5', '::ffff:1.2.3.4'])('knows the address %s', (text) =>
    expect(isAddress(text)).toBe(true),
  );
  it.each(['1.2.3', '1.2.3.4.5', '1.2.3.999', '1.2.3.', 'fe80::1%eth0', ':::', 'x', '1.2.3.4\n', ''])(
    'does not know the address %j',
    (text) => expect(isAddress(text)).toBe(false),
  );
  it.each(['x\ny', 'x\ry', 'x\u2028y', 'x\u0000', '\ud800', 'x'.repeat(201)])(
    'refuses the reason %j',
    (reason) => expect(whyNotPlayersChange(change({ reason }))?.code).toBe('player_reason_invalid'),
  );
  it('takes a name off a list that may not be added', () => {
    const who = '.Bedrock';
    expect(whyNotPlayersChange(change({ who }))?.code).toBe('player_name_invalid');
    expect(whyNotPlayersChange(change({ who, action: 'unban' }))).toBeNull();
    expect(whyNotPlayersChange(change({ who: 'a b', action: 'unban' }))?.code).toBe('player_name_invalid');
  });
  it('makes one line of a command', () => {
    expect(commandOf(change({ reason: ' too loud ' }))).toBe('ban Odo too loud');
    expect(commandOf(change({ action: 'whitelist_on', who: '' }))).toBe('whitelist on');
    expect(commandOf(change({ action: 'op', reason: 'left out' }))).toBe('op Odo');
  });
});

it.each([
  ['[12:00:01] [Server thread/INFO]: Banned Odo: spam', 'done'],
  ['[12:00:01 INFO]: Banned player Odo', 'done'],
  ['\u001b[32m[12:00:01] [INFO]: Banned Odo: x\u001b[0m', 'done'],
  ['[12:00:01] [INFO]: Nothing changed. The player is already banned', 'unchanged'],
  ['[12:00:01] [INFO]: That player does not exist', 'refused'],
  ['Could not ban player Odo', 'refused'],
  ['[12:00:01] [INFO]: Banned Eve: spam', null],
  ['[12:00:01] [INFO]: <Odo> Banned Odo', null],
  ['[12:00:01] [INFO]: Odo joined the game', null],
])('reads %j as %s', (line, outcome) => {
  expect(answerOf(change({}), line)?.outcome ?? null).toBe(outcome);
});

it('makes the id of a player without an account, in which capital letters count', () => {
  expect(offlineProfile('Notch').uuid).toBe('b50ad385-829d-3141-a216-7e7d7539ba7f');
  expect(offlineProfile('notch').uuid).not.toBe(offlineProfile('Notch').uuid);
});

describe('the profile service', () => {
  let server: Server;
  let url = '';
  const asked: string[] = [];
  const id = '069a79f444e94726a5befca90e38aaf5';
  beforeAll(async () => {
    server = createServer((request, answer) => {
      asked.push(request.url!);
      const name = request.url!.split('/').at(-1)!;
      const send = (status: number, body: string) => answer.writeHead(status).end(body);
      if (name === 'nobody') send(204, '');
      else if (name === 'missing') send(404, '{"errorMessage":"x"}');
      else if (name === 'too_fast') send(429, '{}');
      else if (name === 'other') send(200, JSON.stringify({ id, name: 'Another' }));
      else if (name === 'wrong') send(200, '{"id":"1","name":"wrong"}');
      else if (name === 'endless') send(200, ' '.repeat(20_000));
      else if (name === 'moved') answer.writeHead(302, { location: '/users/profiles/minecraft/notch' }).end();
      else send(200, JSON.stringify({ id, name: 'Notch', legacy: true }));
    });
    await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((go) => server.close(go)));
  let now = 0;
  const service = () =>
    new ProfileService(url, () => new Date(now), publicRequester({ allow: () => true, answer_ms: 2_000 }));

  it('gives the name as its owner writes it, and remembers it for a while', async () => {
    const profiles = service();
    const found = { uuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5', name: 'Notch' };
    expect(await profiles.find('nOTCH')).toEqual(found);
    expect(await profiles.find('notch')).toEqual(found);
    expect(asked).toEqual(['/users/profiles/minecraft/nOTCH']);
    now += 11 * 60_000;
    await profiles.find('notch');
    expect(asked).toHaveLength(2);
  });

  it.each(['nobody', 'missing'])('knows that there is no %s', async (name) => {
    expect(await service().find(name)).toBeNull();
  });

  it.each(['too_fast', 'other', 'wrong', 'endless', 'moved'])(
    'does not believe the answer %s',
    async (name) => {
      await expect(service().find(name)).rejects.toMatchObject({ code: 'player_lookup_failed' });
    },
  );

  it('does not ask addresses that are not public, nor for what is no name', async () => {
    await expect(new ProfileService(url, () => new Date()).find('Notch')).rejects.toMatchObject({
      code: 'player_lookup_failed',
    });
    expect(await service().find('../x')).toBeNull();
  });
});
