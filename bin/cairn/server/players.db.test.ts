import { describe, expect, it } from 'vitest';
import { type RentedServer, rentServer, running, testControlPlane } from '#control/testing/plane.ts';
import { offlineProfile } from '#db/hosting/servers/players/profile.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = async () => {
  const renter = await rentServer(database.sql, plane.url);
  renter.runner.files.files.set('server.properties', Buffer.from('online-mode=false\nmotd=kept\n'));
  return renter;
};
const cairn = serverCommand(plane);
const players = (renter: RentedServer, verb: string, ...words: string[]) =>
  cairn(renter, 'players', verb, renter.id, ...words);
const file = ({ runner }: RentedServer, path: string) => JSON.parse(String(runner.files.files.get(path)));

/** The game answers commands, as its console shows them. */
async function plays(renter: RentedServer, answer: (text: string) => string | null): Promise<string[]> {
  await running(renter);
  const { runner, id } = renter;
  const heard: string[] = [];
  runner.socket.on('console.write', ({ text }) => {
    heard.push(text);
    const { lines } = runner.consoles.get(id)!;
    const said = ['[12:00:00] [Server thread/INFO]: <Eve> Kicked Odo', answer(text)].filter(
      (one) => one !== null,
    );
    for (const [at, one] of [text, ...said].entries())
      lines.push({ seq: lines.length + 1, at: 1, stream: at === 0 ? 'in' : 'out', text: one });
  });
  return heard;
}

describe('cairn server players, while the server is off', () => {
  it('writes the files of the game and keeps what it does not know', async () => {
    const renter = await rent();
    const { files } = renter.runner.files;
    files.set('ops.json', Buffer.from('[{"uuid":"u","name":"Eve","level":4,"note":"kept"}]'));
    await players(renter, 'whitelist', 'add', 'Odo');
    expect(file(renter, 'whitelist.json')).toEqual([offlineProfile('Odo')]);
    await players(renter, 'op', 'Odo', '--level', '2');
    await players(renter, 'op', 'EVE', '--level', '3');
    expect(file(renter, 'ops.json')).toEqual([
      { uuid: 'u', name: 'Eve', level: 3, note: 'kept' },
      { ...offlineProfile('Odo'), level: 2, bypassesPlayerLimit: false },
    ]);
    await players(renter, 'ban', 'Mallory', '--reason', 'griefing the mill');
    await players(renter, 'ban', '203.0.113.5');
    expect(file(renter, 'banned-players.json')).toMatchObject([
      {
        ...offlineProfile('Mallory'),
        source: renter.owner.username,
        expires: 'forever',
        reason: 'griefing the mill',
      },
    ]);
    expect(file(renter, 'banned-ips.json')).toMatchObject([{ ip: '203.0.113.5' }]);
    await players(renter, 'whitelist', 'on');
    await players(renter, 'whitelist', 'enforce');
    expect(String(files.get('server.properties'))).toMatch(
      /^online-mode=false\nmotd=kept\nwhite-list ?= ?true\nenforce-whitelist ?= ?true\n$/,
    );
    const { out } = await players(renter, 'list', '--search', 'mill', '--json');
    expect(JSON.parse(out)).toMatchObject({
      ...{ way: 'files', whitelist_on: true, enforced: true, names: 'offline' },
      whitelist: { found: 0, total: 1 },
      bans: { found: 1, entries: [{ who: 'Mallory', reason: 'griefing the mill', expires: null }] },
    });
    await players(renter, 'unban', 'mallory');
    await players(renter, 'unban', '203.0.113.5');
    await players(renter, 'whitelist', 'remove', 'ODO');
    for (const path of ['banned-players.json', 'banned-ips.json', 'whitelist.json'])
      expect(file(renter, path)).toEqual([]);
    const events = await database.sql`
      select data, actor_id from events where name = 'server.players_changed' and server_id = ${renter.id} order by id`;
    expect(events).toHaveLength(10);
    expect(events[1]).toMatchObject({
      actor_id: renter.owner.id,
      data: { action: 'op', who: 'Odo', level: 2 },
    });
  });

  it.each([
    [['ban', 'Odo\nstop'], '3 to 16'],
    [['ban', 'ab'], '3 to 16'],
    [['op', '@a'], '3 to 16'],
    [['whitelist', 'add', 'way_too_long_a_name'], '3 to 16'],
    [['ban', 'Odo', '--reason', 'x\nstop'], 'one line'],
    [['ban', 'Odo', '--reason', 'x'.repeat(201)], 'at most 200'],
    [['ban', '999.0.0.1'], '3 to 16'],
    [['deop', 'Nobody'], 'isn’t on this list'],
    [['kick', 'Odo'], 'isn’t running'],
  ])('refuses %j and writes nothing', async (words, said) => {
    const renter = await rent();
    const [verb, ...more] = words as [string, ...string[]];
    const { code, errors } = await players(renter, verb, ...more);
    expect({ code, errors }).toMatchObject({ code: 1, errors: expect.stringContaining(said) });
    expect([...renter.runner.files.files.keys()]).toEqual(['server.properties']);
    expect(renter.runner.commands).toEqual([]);
  });

  it('never writes over a file that it cannot read', async () => {
    const renter = await rent();
    renter.runner.files.files.set('banned-players.json', Buffer.from('[{"name":'));
    expect(await players(renter, 'ban', 'Odo')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('banned-players.json isn’t a list'),
    });
    expect(JSON.parse((await players(renter, 'list', '--json')).out).bans).toMatchObject({ broken: true });
  });

  it('says how to add a name where accounts are asked for', async () => {
    const renter = await rent();
    renter.runner.files.files.set('server.properties', Buffer.from('online-mode=true\n'));
    expect(await players(renter, 'op', 'Odo')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Start the server, then add Odo'),
    });
  });

  it('refuses to write a file that changed meanwhile', async () => {
    const renter = await rent();
    const { files } = renter.runner;
    files.before = async (query) => {
      if (query === 'write_text') files.files.set('whitelist.json', Buffer.from('[]'));
      return null;
    };
    expect(await players(renter, 'whitelist', 'add', 'Odo')).toMatchObject({
      errors: expect.stringContaining('whitelist.json changed in the meantime'),
    });
  });
});

describe('cairn server players, while the server runs', () => {
  it('sends one line to the console, and gives what the game answered', async () => {
    const renter = await rent();
    const heard = await plays(renter, (text) =>
      text.startsWith('kick')
        ? '[12:00:01] [Server thread/INFO]: Kicked Odo: too loud'
        : 'Made Odo a server operator',
    );
    expect((await players(renter, 'kick', 'odo', '--reason', ' too loud ')).out).toBe('Kicked Odo: too loud');
    expect((await players(renter, 'op', 'Odo', '--level', '4')).out).toBe('Made Odo a server operator');
    expect(heard).toEqual(['kick odo too loud', 'op Odo']);
    expect(await players(renter, 'op', 'Odo', '--level', '2')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('level 4'),
    });
  });

  it('passes on a refusal of the game', async () => {
    const renter = await rent();
    await plays(renter, () => '[12:00:01 INFO]: That player does not exist');
    const { code, errors } = await players(renter, 'ban', 'Nobody_1');
    expect({ code, errors }).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The game refused: That player does not exist'),
    });
    const [{ count }] = (await database.sql`
      select count(*)::int as count from events where name = 'server.players_changed' and server_id = ${renter.id}`) as unknown as [
      { count: number },
    ];
    expect(count).toBe(0);
  });

  it('believes the list where the game has words of its own, and says when nothing answers', async () => {
    const renter = await rent();
    await plays(renter, (text) => {
      if (text !== 'ban Odo') return null;
      renter.runner.files.files.set('banned-players.json', Buffer.from('[{"uuid":"u","name":"Odo"}]'));
      return '[EssentialsX] Player Server banned Odo';
    });
    const [banned, kicked] = await Promise.all([
      players(renter, 'ban', 'Odo'),
      players(renter, 'kick', 'Eve'),
    ]);
    expect(banned.code).toBe(0);
    expect(kicked).toMatchObject({ code: 1, errors: expect.stringContaining('didn’t answer') });
  });

  it('names who is online', async () => {
    const renter = await rent();
    await running(renter);
    const stats = {
      ...{ server_id: renter.id, at: Date.now(), cpu_percent: 1, ram_mb: 1, ram_limit_mb: 4, disk_mb: 1 },
      ...{
        disk_limit_mb: 4,
        rx_bytes: 0,
        tx_bytes: 0,
        players: { online: 3, most: 20, names: ['Odo', 'Eve'] },
      },
    };
    renter.runner.socket.emit('stats', { lease: renter.runner.welcome.lease, servers: [stats] });
    await renter.runner.sendHeartbeat();
    expect(JSON.parse((await players(renter, 'online', '--json')).out)).toEqual({
      ...{ online: 3, most: 20, names: ['Odo', 'Eve'] },
    });
  });
});

it('lets members see who is online, and the lists only with their right', async () => {
  const [renter, other] = [await rent(), await rent()];
  const member = { ...renter, key: other.key };
  expect(await players(member, 'online')).toMatchObject({ code: 1 });
  await database.sql`
    insert into server_members (server_id, user_id, role, rights, accepted)
    values (${renter.id}, ${other.owner.id}, 'viewer', '{}', now())`;
  expect(await players(member, 'online')).toMatchObject({ code: 0 });
  for (const verb of [['list'], ['ban', 'Odo']])
    expect(await players(member, ...(verb as [string]))).toMatchObject({
      code: 1,
      errors: expect.stringContaining('this permission'),
    });
  await database.sql`update server_members set rights = '{players}' where server_id = ${renter.id}`;
  expect(await players(member, 'ban', 'Odo')).toMatchObject({ code: 0 });
});
