import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { type FilesFixture, filesFixture } from '../testing/files.ts';

let f: FilesFixture;
beforeEach(async () => {
  f = await filesFixture({ disk_mb: 20 });
});
afterEach(() => f.end());

const mib = 1024 * 1024;
const read = (path: string): string => readFileSync(f.path(path), 'utf8');
const finish = (upload_id: string, args: object = {}) =>
  f.get('upload_finish', { upload_id, on_conflict: 'refuse', ...args });
const etagOf = async (path: string) => (await f.get('stat', { paths: [path] })).entries[0]!.etag;
const parts = () => readdirSync(f.path(`${reserved_name}/uploads`));

describe('an upload', () => {
  it('appears when it is complete, with its bytes', async () => {
    const content = randomBytes(3 * mib);
    const upload_id = await f.upload('plugins/map.jar', content);
    expect(await f.refusal('upload_finish', { upload_id: randomUUID(), on_conflict: 'skip' })).toBe(
      'upload_not_found',
    );
    expect((await f.get('stat', { paths: ['plugins/map.jar'] })).entries).toEqual([null]);
    const done = await finish(upload_id);
    expect(done).toMatchObject({ path: 'plugins/map.jar', entry: { name: 'map.jar', bytes: 3 * mib } });
    expect(readFileSync(f.path('plugins/map.jar')).equals(content)).toBe(true);
    expect(await finish(upload_id), 'repeated').toEqual(done);
    f.restart();
    expect(await finish(upload_id), 'repeated after a restart').toEqual(done);
  });

  it('goes on where it was cut, after a restart too', async () => {
    const content = randomBytes(2 * mib);
    const upload_id = randomUUID();
    const begin = { upload_id, path: 'world.zip', bytes: content.length };
    expect(await f.get('upload_begin', begin)).toEqual({ offset: 0 });
    // the line breaks in the middle
    f.requests.set('/transfers?from=1', (_, answer) => {
      answer.writeHead(200, { 'content-length': content.length });
      answer.write(content.subarray(0, mib), () => answer.destroy());
    });
    const { offset } = await f.get('upload_receive', { upload_id, offset: 0, get: '/transfers?from=1' });
    expect(offset).toBeGreaterThan(0);
    expect(await f.refusal('upload_finish', { upload_id, on_conflict: 'refuse' })).toBe('upload_incomplete');
    f.restart();
    expect(await f.get('upload_begin', begin)).toEqual({ offset });
    expect(await f.get('upload_offset', { upload_id })).toEqual({ offset, bytes: content.length });
    f.requests.set('/transfers?from=2', (_, answer) => answer.end(content.subarray(offset)));
    expect(
      await f.refusal('upload_receive', { upload_id, offset: offset + 1, get: '/transfers?from=2' }),
    ).toBe('upload_offset_wrong');
    expect(await f.get('upload_receive', { upload_id, offset, get: '/transfers?from=2' })).toEqual({
      offset: content.length,
    });
    await finish(upload_id);
    expect(readFileSync(f.path('world.zip')).equals(content)).toBe(true);
  });

  it('that hangs gives way to a newer request for it', async () => {
    const upload_id = randomUUID();
    await f.get('upload_begin', { upload_id, path: 'a', bytes: 6 });
    const hanging = Promise.withResolvers<ServerResponse>();
    f.requests.set('/transfers?from=1', (_, answer) => {
      answer.writeHead(200).write('abc');
      hanging.resolve(answer);
    });
    const older = f.get('upload_receive', { upload_id, offset: 0, get: '/transfers?from=1' });
    const closed = once(await hanging.promise, 'close');
    await vi.waitFor(async () => expect((await f.get('upload_offset', { upload_id })).offset).toBe(3));
    f.requests.set('/transfers?from=2', (_, answer) => answer.end('def'));
    await f.get('upload_receive', { upload_id, offset: 3, get: '/transfers?from=2' });
    expect(await older).toEqual({ offset: 3 });
    await closed;
    await finish(upload_id);
    expect(read('a')).toBe('abcdef');
  });

  it('of more bytes than it said, or from nowhere, is refused and can go on', async () => {
    const upload_id = randomUUID();
    await f.get('upload_begin', { upload_id, path: 'a', bytes: 3 });
    f.requests.set('/transfers?from=1', (_, answer) => answer.end('abcd'));
    const receive = (get: string) => f.refusal('upload_receive', { upload_id, offset: 0, get });
    expect(await receive('/transfers?from=1')).toBe('upload_offset_wrong');
    expect(await receive('/transfers?from=none')).toBe('upload_incomplete');
    f.requests.set('/transfers?from=1', (_, answer) => answer.end('abc'));
    expect(await receive('/transfers?from=1')).toBeNull();
    await finish(upload_id);
    expect(read('a')).toBe('abc');
  });

  it('decides about a file that is there', async () => {
    f.write('a.txt', 'old');
    chmodSync(f.path('a.txt'), 0o755);
    const skipped = await f.upload('a.txt', 'new');
    expect(await finish(skipped, { on_conflict: 'skip' })).toEqual({ path: 'a.txt', entry: null });
    const second = await f.upload('a.txt', 'new');
    expect(await f.refusal('upload_finish', { upload_id: second, on_conflict: 'refuse' })).toBe(
      'file_exists',
    );
    expect(await finish(second, { on_conflict: 'rename' })).toMatchObject({ path: 'a (2).txt' });
    expect(read('a.txt')).toBe('old');
    await finish(await f.upload('a.txt', 'new'), { on_conflict: 'replace' });
    expect(read('a.txt')).toBe('new');
    expect(statSync(f.path('a.txt')).mode & 0o777, 'a script stays one').toBe(0o755);
  });

  it('of two people who save one file only replaces what its editor has seen', async () => {
    f.write('server.properties', 'motd=a');
    const if_etag = await etagOf('server.properties');
    const [mine, theirs] = [
      await f.upload('server.properties', 'motd=b'),
      await f.upload('server.properties', 'motd=c'),
    ];
    const outcomes = await Promise.all(
      [mine, theirs].map((upload_id) =>
        f.ask('upload_finish', { upload_id, on_conflict: 'replace', if_etag }),
      ),
    );
    expect(outcomes.map((one) => (one.ok ? 'saved' : one.error)).sort()).toEqual(['file_changed', 'saved']);
    const winner = outcomes[0]!.ok ? 'motd=b' : 'motd=c';
    expect(read('server.properties')).toBe(winner);
    const again = await f.upload('server.properties', 'motd=d');
    await finish(again, { if_etag: await etagOf('server.properties') });
    expect(read('server.properties')).toBe('motd=d');
    const fresh = await f.upload('server.properties', 'x');
    expect(await f.refusal('upload_finish', { upload_id: fresh, on_conflict: 'replace', if_etag: '' })).toBe(
      'file_changed',
    );
  });

  it('is removed when it is cancelled, or given up for a day', async () => {
    const cancelled = await f.upload('a', 'abc', 6);
    await f.get('upload_cancel', { upload_id: cancelled });
    expect(await f.refusal('upload_offset', { upload_id: cancelled })).toBe('upload_not_found');
    const finished = await f.upload('b', 'abc');
    await finish(finished);
    await f.upload('c', 'abc', 6);
    f.clock.now += 23 * 3_600_000;
    await f.files().expire();
    expect(parts()).toHaveLength(2);
    f.clock.now += 2 * 3_600_000;
    await f.files().expire();
    expect(parts()).toEqual([]);
    expect(read('b')).toBe('abc');
  });
});

describe('the limit of the disk', () => {
  it('is reserved before the first byte, and again after a restart', async () => {
    const first = { upload_id: randomUUID(), path: 'first', bytes: 12 * mib };
    const second = { upload_id: randomUUID(), path: 'second', bytes: 12 * mib };
    const answers = await Promise.all([f.ask('upload_begin', first), f.ask('upload_begin', second)]);
    expect(answers.map((one) => (one.ok ? 'begun' : one.error)).sort()).toEqual(['begun', 'disk_full']);
    const begun = answers[0]!.ok ? first : second;
    f.restart();
    expect(await f.refusal('upload_begin', { ...second, upload_id: randomUUID() })).toBe('disk_full');
    await f.get('upload_cancel', { upload_id: begun.upload_id });
    expect(await f.refusal('upload_begin', { ...second, upload_id: randomUUID() })).toBeNull();
  });

  it('holds for uploads that do not say how many bytes they have', async () => {
    const upload_id = randomUUID();
    await f.get('upload_begin', { upload_id, path: 'sftp', bytes: null });
    f.requests.set('/transfers?from=1', (_, answer) => answer.end(Buffer.alloc(25 * mib)));
    expect(await f.refusal('upload_receive', { upload_id, offset: 0, get: '/transfers?from=1' })).toBe(
      'disk_full',
    );
    const { offset } = await f.get('upload_offset', { upload_id });
    expect(offset).toBeLessThanOrEqual(20 * mib);
  });
});

describe('a file that is sent', () => {
  it('has its length and etag, from the byte that is asked for', async () => {
    f.write('a.txt', '0123456789');
    const whole = await f.sent({ paths: ['a.txt'], as: 'file' });
    expect(whole.body.toString()).toBe('0123456789');
    expect(whole.headers).toMatchObject({ 'content-length': '10', 'x-file-etag': await etagOf('a.txt') });
    const part = await f.sent({ paths: ['a.txt'], as: 'file', offset: 3, length: 4 });
    expect([part.body.toString(), part.headers['content-length']]).toEqual(['3456', '4']);
    expect((await f.sent({ paths: ['a.txt'], as: 'file', offset: 99 })).body).toHaveLength(0);
    expect(await f.refusal('send', { paths: [''], as: 'file', put: '/x' })).toBe('file_is_directory');
    expect(await f.refusal('send', { paths: ['none'], as: 'zip', put: '/x' })).toBe('file_not_found');
    expect(await f.refusal('send', { paths: ['a.txt'], as: 'file', put: '/refused' })).toBe(
      'operation_failed',
    );
    expect(await f.refusal('send', { paths: ['a.txt'], as: 'file', put: 'http://elsewhere/' })).toBe(
      'invalid_input',
    );
  });
});
