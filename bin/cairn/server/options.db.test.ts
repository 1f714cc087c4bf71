import { describe, expect, it, vi } from 'vitest';
import { rentServer, testControlPlane } from '#control/testing/plane.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);

const cairn = serverCommand(plane);

const file = '#Minecraft server properties\nmax-players=20\nmotd=Old\nodd-key=x\n';
const path = 'server.properties';

describe('cairn server properties', () => {
  it('changes values and keeps everything else of the file', async () => {
    const renter = await rent();
    const { files } = renter.runner.files;
    files.set(path, Buffer.from(file));
    const { out } = await cairn(renter, 'properties', 'set', renter.id, 'max-players=5', 'motd=§6New');
    expect(out).toContain('max-players  5');
    expect(files.get(path)!.toString()).toBe(
      file.replace('max-players=20', 'max-players=5').replace('motd=Old', 'motd=\\u00a76New'),
    );
    expect((await cairn(renter, 'properties', 'get', renter.id, 'motd')).out).toBe('§6New');
    expect((await cairn(renter, 'properties', 'get', renter.id, 'difficulty')).out).toBe('easy');
    expect(await cairn(renter, 'properties', 'get', renter.id, 'nothing')).toMatchObject({ code: 1 });
    const [event] = await database.sql`
      select data from events where name = 'server.properties_changed' and server_id = ${renter.id}`;
    expect(event).toMatchObject({ data: { keys: ['max-players', 'motd'] } });
  });

  it('lists what is in the file, defaults, and what is wrong', async () => {
    const renter = await rent();
    renter.runner.files.files.set(path, Buffer.from('pvp=maybe\npvp=perhaps\nodd-key=x\n'));
    const { properties } = JSON.parse((await cairn(renter, 'properties', 'list', renter.id, '--json')).out);
    const found = (key: string) => properties.find((one: { key: string }) => one.key === key);
    expect(found('pvp')).toMatchObject({ value: 'perhaps', problem: 'boolean', repeated: true });
    expect(found('max-players')).toMatchObject({ value: null, default: '20', problem: null });
    expect(found('odd-key')).toMatchObject({ value: 'x', group: null });
  });

  it('makes the file when there is none', async () => {
    const renter = await rent();
    await cairn(renter, 'properties', 'set', renter.id, 'pvp=false');
    expect(renter.runner.files.files.get(path)!.toString()).toMatch(/^pvp ?= ?false/);
  });

  it.each(['max-players=many', 'server-port=1', 'level-name=../x'])(
    'refuses %s and writes nothing',
    async (text) => {
      const renter = await rent();
      renter.runner.files.files.set(path, Buffer.from(file));
      const { code, errors } = await cairn(renter, 'properties', 'set', renter.id, 'pvp=false', text);
      expect({ code, errors }).toMatchObject({
        code: 1,
        errors: expect.stringContaining(text.split('=')[0]!),
      });
      expect(renter.runner.files.files.get(path)!.toString()).toBe(file);
    },
  );

  it('refuses a change of a file that someone else changed', async () => {
    const renter = await rent();
    const { files } = renter.runner;
    files.files.set(path, Buffer.from(file));
    // the game writes it each time after it was read
    files.before = async (query) => {
      if (query === 'write_text')
        files.files.set(path, Buffer.concat([files.files.get(path)!, Buffer.from('#\n')]));
      return null;
    };
    expect(await cairn(renter, 'properties', 'set', renter.id, 'pvp=false')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('server.properties changed in the meantime'),
    });
  });
});

describe('cairn server startup', () => {
  it('changes what is given, keeps the rest, and restores the defaults', async () => {
    const renter = await rent();
    const set = (...words: string[]) => cairn(renter, 'startup', 'set', renter.id, ...words, '--json');
    await set('--memory', '1000');
    const { out } = await set('--flags', '-XX:+UseZGC -Xss4M');
    expect(JSON.parse(out)).toMatchObject({
      heap_mb: 1_000,
      java: null,
      jvm_flags: ['-XX:+UseZGC', '-Xss4M'],
    });
    const [row] = await database.sql`select generation, jvm_flags from servers where id = ${renter.id}`;
    expect(row).toMatchObject({ jvm_flags: ['-XX:+UseZGC', '-Xss4M'] });
    await vi.waitFor(() =>
      expect(renter.runner.specs.get(renter.id)).toMatchObject({ heap_mb: 1_000, jvm_flags: row!.jvm_flags }),
    );
    const reset = JSON.parse((await cairn(renter, 'startup', 'reset', renter.id, '--json')).out);
    expect(reset).toMatchObject({ heap_mb: null, java: null, jvm_flags: [] });
  });

  it.each([
    [['--flags', '-javaagent:x.jar'], '-javaagent:x.jar'],
    [['--memory', '999999'], 'between'],
    [['--java', '99'], 'Java 99'],
  ])('refuses %j', async (words, said) => {
    const renter = await rent();
    const { code, errors } = await cairn(renter, 'startup', 'set', renter.id, ...words);
    expect({ code, errors }).toMatchObject({ code: 1, errors: expect.stringContaining(said) });
  });

  it('is hidden from others', async () => {
    const [renter, other] = [await rent(), await rent()];
    expect(await cairn(other, 'startup', 'show', renter.id)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('server'),
    });
    expect((await cairn(other, 'properties', 'list', renter.id)).code).toBe(1);
  });
});
