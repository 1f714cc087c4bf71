import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { publicRequester } from '#db/platform/runtime/public-request.ts';
import { type FilesFixture, filesFixture } from '../testing/files.ts';

let f: FilesFixture;
let web: Server;
let at: string;
beforeEach(async () => {
  f = await filesFixture({ disk_mb: 5 });
  web = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const to = searchParams.get('to');
    if (to) answer.writeHead(302, { location: to }).end();
    else if (pathname === '/file') answer.end('content');
    else if (pathname === '/endless') {
      answer.on('error', () => {});
      const more = (): void => {
        while (!answer.destroyed && answer.write(Buffer.alloc(65_536)));
      };
      answer.on('drain', more);
      more();
    } else if (pathname === '/large') answer.writeHead(200, { 'content-length': 9e9 }).write('x');
    else if (pathname === '/cut')
      answer.writeHead(200, { 'content-length': 9 }).write('x', () => answer.destroy());
    else if (pathname === '/loop') answer.writeHead(302, { location: '/loop' }).end();
    else answer.writeHead(404).end();
  });
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  at = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
afterEach(async () => {
  web.closeAllConnections();
  await new Promise((done) => web.close(done));
  await f.end();
});

const fetched = (url: string, args: object = {}) =>
  f.perform('file_fetch', { url, path: 'a/b.jar', ...args });

it('fetches an address into a file, over redirects', async () => {
  const url = `${at}/?to=${encodeURIComponent('/file')}`;
  expect(await fetched(url)).toEqual({ state: 'done', result: { path: 'a/b.jar', bytes: 7 } });
  expect(readFileSync(f.path('a/b.jar'), 'utf8')).toBe('content');
  expect(f.onProgress.mock.lastCall?.slice(2)).toEqual([7, 7]);
  expect(await fetched(url)).toMatchObject({ result: { error: 'file_exists' } });
  expect(await fetched(url, { on_conflict: 'rename' })).toMatchObject({ result: { path: 'a/b (2).jar' } });
});

it.each([
  ['another protocol', () => 'file:///etc/passwd', 'address_not_allowed'],
  ['no address', () => 'nonsense', 'address_not_allowed'],
  ['a password', () => at.replace('//', '//me:secret@'), 'address_not_allowed'],
  ['a private network', () => 'http://10.0.0.1/', 'address_not_allowed'],
  ['a redirect to a private network', () => `${at}/?to=http://169.254.169.254/latest`, 'address_not_allowed'],
  ['a redirect to another protocol', () => `${at}/?to=file:///etc/passwd`, 'address_not_allowed'],
  ['too many redirects', () => `${at}/loop`, 'fetch_failed'],
  ['nothing', () => `${at}/none`, 'fetch_failed'],
  ['a broken line', () => `${at}/cut`, 'fetch_failed'],
  ['more than fits', () => `${at}/large`, 'disk_full'],
  ['more than fits, without a length', () => `${at}/endless`, 'disk_full'],
])('refuses %s and leaves nothing behind', async (_, url, code) => {
  expect(await fetched(url())).toMatchObject({ state: 'failed', result: { error: code } });
  expect(existsSync(f.path('a/b.jar'))).toBe(false);
  const temporary = f.path(`${reserved_name}/temporary`);
  expect(existsSync(temporary) ? readdirSync(temporary) : []).toEqual([]);
});

it.each([
  '127.0.0.1',
  '[::1]',
  '[::ffff:10.0.0.1]',
  '192.168.1.1',
  '169.254.1.1',
  '224.0.0.1',
  '0.0.0.0',
  '2130706433',
])('reaches no address like %s in the product', async (host) => {
  f.context.fetchPublic = publicRequester();
  expect(await fetched(`http://${host}/`)).toMatchObject({ result: { error: 'address_not_allowed' } });
});
