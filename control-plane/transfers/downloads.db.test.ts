import { describe, expect, it } from 'vitest';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { testDatabase } from '#db/testing/database.ts';
import { browser } from '../testing/clients.ts';
import { addressOf, silentAgent } from '../testing/downloads.ts';
import { rentServer, testControlPlane } from '../testing/plane.ts';

const database = testDatabase();
const here = testControlPlane(database);
const rent = () => rentServer(database.sql, here.url);

describe('a file of a server', () => {
  it('is saved under its name, never opened as a page, and has its etag', async () => {
    const renter = await rent();
    const { files } = renter.runner;
    files.files.set('world/página "1".html', Buffer.from('<script>alert(1)</script>'));
    const answer = await fetch(here.url + (await addressOf(renter, ['world/página "1".html'])));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="p_gina _1_.html"; filename*=UTF-8''p%C3%A1gina%20%221%22.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'content-length': '25',
      etag: `"${files.entryOf('world/página "1".html')!.etag}"`,
    });
    expect(await answer.text()).toBe('<script>alert(1)</script>');
  });

  it('is shown only when it is a picture', async () => {
    const renter = await rent();
    for (const name of ['icon.png', 'logo.svg', 'index.html'])
      renter.runner.files.files.set(name, Buffer.from('bytes'));
    const shown = async (name: string) => {
      const { headers } = await fetch(`${here.url}${await addressOf(renter, [name])}&inline=1`);
      return [headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]];
    };
    expect(await shown('icon.png')).toEqual(['image/png', 'inline']);
    expect(await shown('logo.svg')).toEqual(['application/octet-stream', 'attachment']);
    expect(await shown('index.html')).toEqual(['application/octet-stream', 'attachment']);
  });

  it('is sent in parts', async () => {
    const renter = await rent();
    renter.runner.files.files.set('a.txt', Buffer.from('0123456789'));
    const part = async (range: string) => {
      const answer = await fetch(here.url + (await addressOf(renter, ['a.txt'])), { headers: { range } });
      return [answer.status, answer.headers.get('content-range'), await answer.text()];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=0-1,4-5')).toEqual([200, null, '0123456789']);
    expect((await part('bytes=10-'))[0]).toBe(416);
  });

  it('that becomes shorter while it is sent is cut off', async () => {
    const renter = await rent();
    renter.runner.files.files.set('a.log', Buffer.alloc(10));
    const asked = silentAgent(renter);
    const fetched = fetch(here.url + (await addressOf(renter, ['a.log'])));
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(Buffer.alloc(4));
        stream.close();
      },
    });
    const put = { method: 'PUT', body, duplex: 'half' } as RequestInit;
    await expect(fetch(`${here.url}${await asked}`, put)).rejects.toThrow();
    await expect(fetched.then((answer) => answer.arrayBuffer())).rejects.toThrow();
  });

  it('or folder is an archive under its name', async () => {
    const renter = await rent();
    renter.runner.files.files.set('world/a', Buffer.from('1'));
    renter.runner.files.files.set('b', Buffer.from('1'));
    const one = await fetch(here.url + (await addressOf(renter, ['world'], 'zip')));
    expect(one.headers.get('content-disposition')).toContain('world.zip');
    const two = await fetch(here.url + (await addressOf(renter, ['world', 'b'], 'tar.zst')));
    expect(two.headers.get('content-disposition')).toContain('Valley.tar.zst');
    expect(await two.text()).toBe('tar.zst of world,b');
  });

  it('that cannot be sent is refused before there is an address', async () => {
    const renter = await rent();
    renter.runner.files.files.set('world/a', Buffer.from('1'));
    const refused = (paths: string[], as: 'file' | 'zip') => expect(addressOf(renter, paths, as)).rejects;
    await refused(['gone'], 'file').toThrow('file_not_found');
    await refused(['world', 'gone'], 'zip').toThrow('file_not_found');
    await refused(['world'], 'file').toThrow('file_is_directory');
    await refused(['world/a', 'world/a'], 'file').toThrow('invalid_input');
  });
});

describe('the right to a download', () => {
  it('ends with the token that it was requested with, also while it is sent', async () => {
    const renter = await rent();
    renter.runner.files.files.set('map', Buffer.alloc(10));
    const [first, second] = [await addressOf(renter, ['map']), await addressOf(renter, ['map'])];
    const asked = silentAgent(renter);
    const fetched = fetch(here.url + first);
    const put = await asked;
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(Buffer.alloc(4));
      },
    });
    const sent = fetch(`${here.url}${put}`, { method: 'PUT', body, duplex: 'half' } as RequestInit);
    sent.catch(() => {});
    const answer = await fetched;
    await database.sql`delete from tokens where user_id = ${renter.owner.id}`;
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect((await fetch(here.url + second)).status).toBe(404);
    await expect(sent).rejects.toThrow();
  });

  it('ends with the suspension of the server', async () => {
    const renter = await rent();
    renter.runner.files.files.set('map', Buffer.alloc(10));
    const address = await addressOf(renter, ['map']);
    await database.sql.begin((tx) => suspendServer(tx, renter.id, 'other'));
    const answer = await fetch(here.url + address);
    expect(await answer.json()).toMatchObject({ error: 'server_suspended' });
  });

  it('is of nobody else', async () => {
    const renter = await rent();
    const stranger = await rent();
    const screen = await browser(here.url, { token: stranger.key });
    const message = { server_id: renter.id, paths: ['a'], as: 'file' as const };
    expect(await screen.request('files.download', message)).toMatchObject({ error: 'server_not_found' });
  });
});
