import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type RentedServer, rentServer, testControlPlane } from '#control/testing/plane.ts';
import { powerReport } from '#control/testing/scripted-agent.ts';
import { publicLog } from '#db/hosting/servers/logs/read.ts';
import { purgeSharedLogs } from '#db/hosting/servers/logs/write.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const cairn = serverCommand(plane);
const rent = () => rentServer(database.sql, plane.url);
const put = ({ runner }: RentedServer, path: string, text: string | Buffer) =>
  runner.files.files.set(path, Buffer.from(text));
const analysed = async (renter: RentedServer, ...words: string[]) =>
  JSON.parse((await cairn(renter, 'crash', renter.id, ...words, '--json')).out);
const shared = async (renter: RentedServer, ...words: string[]) =>
  JSON.parse((await cairn(renter, 'log', 'share', renter.id, ...words, '--json')).out);
const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000);

describe('cairn server crash', () => {
  it('reads report, log and console, and says what to do', async () => {
    const renter = await rent();
    put(
      renter,
      'logs/latest.log',
      [`${'x'.repeat(99)}\n`.repeat(20_000), 'Mixin apply for mod lanterns failed x\n'].join(''),
    );
    const crash = powerReport('crashed', {
      exit_code: 1,
      last_lines: ['java.lang.OutOfMemoryError: Java heap space'],
    });
    await renter.runner.report('server.power', renter.id, crash);
    expect(await analysed(renter)).toMatchObject({
      findings: [
        { cause: 'out_of_memory', path: null, line: 1 },
        { cause: 'mixin_failed', what: 'lanterns', path: 'logs/latest.log', link: 'content' },
      ],
      read: ['logs/latest.log', null],
    });
    const { out } = await cairn(renter, 'crash', renter.id);
    expect(out).toContain('A mod can’t change the game the way it needs to: lanterns (logs/latest.log, line');
    // two megabytes of log: the last one is read, in parts
    const parts = renter.runner.files.asked.filter(({ query }) => query === 'read_text');
    expect(parts.length).toBeGreaterThan(3);
  });

  it('reads one log, also a packed one, and nothing that is no text', async () => {
    const renter = await rent();
    put(renter, 'logs/old.log.gz', gzipSync('java.lang.StackOverflowError\n'));
    put(renter, 'logs/bomb.log.gz', gzipSync(Buffer.alloc(40_000_000)));
    put(renter, 'logs/none.log', Buffer.from([0, 1, 2]));
    put(renter, 'secret.jar', 'x');
    expect(await analysed(renter, 'logs/old.log.gz')).toMatchObject({
      findings: [{ cause: 'stack_overflow' }],
    });
    for (const path of ['logs/bomb.log.gz', 'logs/none.log', 'secret.jar'])
      expect(await cairn(renter, 'crash', renter.id, path)).toMatchObject({
        code: 1,
        errors: expect.stringContaining('can’t be read as a log'),
      });
    expect(await cairn(renter, 'crash', renter.id, 'logs/missing.log')).toMatchObject({ code: 1 });
    expect(await analysed(renter)).toEqual({ findings: [], read: [] });
  });
});

describe('cairn server log', () => {
  it('shares a log without secrets, until its end', async () => {
    const renter = await rent();
    put(renter, 'server.properties', 'rcon.password=correct-horse\nmotd=x\n');
    put(
      renter,
      'logs/latest.log',
      'Odo[/203.0.113.5:50000] logged in\r\nrcon says correct-horse\nNo space left on device\n\u0000'.replace(
        '\u0000',
        '',
      ),
    );
    const log = await shared(renter, '--for', '1h');
    expect(log.address).toBe(`${plane.url}/logs/${log.id}`);
    const { text, findings } = await publicLog(database.sql, log.id, new Date());
    expect(text).toContain('Odo[/<address-1>:50000] logged in\n');
    expect(text).not.toMatch(/correct-horse|203\.0/);
    expect(findings).toMatchObject([{ cause: 'disk_full', line: 3 }]);
    await expect(publicLog(database.sql, log.id, soon(2))).rejects.toMatchObject({ code: 'log_not_found' });
    await expect(publicLog(database.sql, `${log.id}'`, new Date())).rejects.toMatchObject({
      code: 'log_not_found',
    });
    expect(await purgeSharedLogs(database.sql, new Date())).toBe(0);
    expect(await purgeSharedLogs(database.sql, soon(2))).toBe(1);
    const [event] =
      await database.sql`select data from events where name = 'server.log_shared' and server_id = ${renter.id}`;
    expect(JSON.stringify(event)).not.toContain(log.id);
  });

  it('keeps the last mebibyte, and twenty logs', async () => {
    const renter = await rent();
    put(renter, 'logs/latest.log', `${'é'.repeat(60)}\n`.repeat(20_000));
    const log = await shared(renter);
    expect(log.bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(log.bytes).toBeGreaterThan(1024 * 1024 - 200);
    put(renter, 'logs/latest.log', 'all is well\n');
    for (let more = 1; more < 20; more++) await shared(renter);
    expect(await cairn(renter, 'log', 'share', renter.id)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('20 shared logs'),
    });
    expect(JSON.parse((await cairn(renter, 'log', 'list', renter.id, '--json')).out)).toHaveLength(20);
    await cairn(renter, 'log', 'remove', renter.id, log.id);
    await expect(publicLog(database.sql, log.id, new Date())).rejects.toMatchObject({
      code: 'log_not_found',
    });
    await shared(renter);
  });

  it('is removed by who shared it and by the owner, and needs the right to files', async () => {
    const [renter, other] = [await rent(), await rent()];
    put(renter, 'logs/latest.log', 'all is well\n');
    const member = { ...renter, key: other.key };
    await database.sql`
      insert into server_members (server_id, user_id, role, rights, accepted)
      values (${renter.id}, ${other.owner.id}, 'viewer', '{}', now())`;
    expect(await cairn(member, 'log', 'share', renter.id)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('this permission'),
    });
    // without it nothing is read but the console
    expect(await analysed(member)).toEqual({ findings: [], read: [] });
    await database.sql`update server_members set rights = '{files}' where server_id = ${renter.id}`;
    const [mine, theirs] = [await shared(renter), await shared(member)];
    expect(await cairn(member, 'log', 'remove', renter.id, mine.id)).toMatchObject({ code: 1 });
    expect(await cairn(renter, 'log', 'remove', renter.id, theirs.id)).toMatchObject({ code: 0 });
    expect(JSON.parse((await cairn(member, 'log', 'list', renter.id, '--json')).out)).toMatchObject([
      { id: mine.id, removable: false, by: renter.owner.username },
    ]);
    expect(await cairn(other, 'log', 'remove', other.id, mine.id)).toMatchObject({ code: 1 });
  });
});
