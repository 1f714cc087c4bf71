import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

/** What every page is wrapped in, and what programs read of it. */
const site = demoSite();
const json = async (path: string) => (await (await site.fetch(path)).json()) as never;

test.each([
  ['/users/fen?hl=en-XA', 301, '/user/fen?hl=en-XA'],
  ['/license', 302, 'https://www.gnu.org/licenses/agpl-3.0.html'],
  ['/source', 302, '/source.tgz'],
  ['/shader/lanternroot/_payload.json', 301, '/mod/lanternroot/_payload.json'],
])('%s redirects', async (path, status, to) => {
  const answer = await site.fetch(path);
  expect([answer.status, answer.headers.get('location')]).toEqual([status, to]);
});

test('programs learn which build it is, and its redirects', async () => {
  const build = (await site.open('/')).document.documentElement.getAttribute('data-build');
  expect(await json('/builds/latest.json?t=1')).toMatchObject({ id: build });
  const { redirects } = await json(`/builds/meta/${build}.json`);
  expect(redirects).toContainEqual({ from: '/users/*', to: '/user/*', status: 301 });
});

test('the data of pages is there for programs', async () => {
  expect(await json('/_payload.json')).toMatchObject({
    popular: expect.anything(),
    counts: { mod: expect.any(Number) },
  });
  expect(await json('/mods/_payload.json')).toMatchObject({
    ...{ type: 'mod', page: 1, hits: expect.any(Array) },
  });
  expect(await json('/mod/lanternroot/_payload.json')).toMatchObject({ project: { slug: 'lanternroot' } });
  expect(await json('/user/fen/_payload.json')).toMatchObject({
    ...{ user: { username: 'fen' }, projects: expect.any(Array) },
  });
  const missing = await site.fetch('/mod/never-was/_payload.json');
  expect([missing.status, await missing.json()]).toMatchObject([404, { error: 'not_found' }]);
  expect((await site.fetch('/flags/_payload.json')).status).toBe(404);
});

test('on every page of servers the bar says so', async () => {
  const player = await site.as('player');
  for (const [path, current] of [
    ['/servers', 'page'],
    ['/servers/buy', 'true'],
    ['/servers/manage', 'true'],
    ['/mods', null],
  ] as const) {
    const page = await player.open(path);
    const servers = page.one('link', { name: 'Servers', within: page.one('banner') });
    expect([path, servers.getAttribute('aria-current')]).toEqual([path, current]);
  }
});
