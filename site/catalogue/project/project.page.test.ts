import { expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();

interface Version {
  id: string;
  version_number: string;
  loaders: string[];
  game_versions: string[];
  files: Array<{ hashes: { sha1: string } }>;
}
const newestVersion = async (): Promise<Version> =>
  (await site.json<Version[]>('/v2/project/lanternroot/version'))[0]!;
const rows = '[role=row], tr';

test('a project can be read and its versions filtered without scripts', async () => {
  let page = await site.open('/mod/lanternroot');
  page = await page.follow(page.one('link', { name: /^Versions/, within: page.main }));
  const menu = page.withText('Game version', page.main)[0]!.closest('details')!;
  menu.setAttribute('open', '');
  const item = menu.querySelectorAll('.menu a')[2]!;
  const game = item.textContent.trim();
  page = await page.follow(item);
  const filters = page.one('navigation', { name: 'Filters' });
  page.one('link', { name: `Remove filter ${game}`, within: filters });
  const row = page.main.querySelectorAll(rows)[1]!;
  page = await page.follow(row.querySelector('a[href*="/version/"]')!);
  page.one('heading', { name: 'Files' });
});

test('a version page has its number or its id in the address, with files and hashes', async () => {
  const newest = await newestVersion();
  for (const name of [newest.version_number, newest.id]) {
    const page = await site.open(`/mod/lanternroot/version/${name}`);
    expect(page.text()).toContain(newest.files[0]!.hashes.sha1);
  }
});

test('addresses redirect to the canonical type and slug', async () => {
  const { id } = await site.json<{ id: string }>('/v2/project/lanternroot');
  for (const path of [`/mod/${id}`, '/shader/lanternroot', '/project/lanternroot', '/mod/LANTERNROOT']) {
    const answer = await site.fetch(path);
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 301, '/mod/lanternroot']);
  }
  const page = await site.open(`/project/${id}/versions?c=release`);
  expect(page.url).toBe('/mod/lanternroot/versions?c=release');
});

test('the latest version has an address, filtered by loader and game version', async () => {
  const { version_number, loaders, game_versions } = await newestVersion();
  const path = '/mod/lanternroot';
  const target = async (query: string) =>
    (await site.fetch(`${path}/version/latest${query}`)).headers.get('location');
  expect(await target('')).toBe(`${path}/version/${version_number}`);
  expect(await target(`?loader=${loaders[0]}&version=${game_versions[0]}`)).toBe(await target(''));
  expect(await target('?loader=rift')).toBe(`${path}/versions?g=rift`);
});

test('without scripts the download button links to the versions, whose chips filter them', async () => {
  const newest = await newestVersion();
  const path = '/mod/lanternroot';
  let page = await site.open(path);
  page = await page.follow(page.one('link', { name: 'Download', within: page.main }));
  expect(page.url).toBe(`${path}/versions`);
  const chip = () => page.one('link', { name: 'Only Release', within: page.main.querySelectorAll(rows)[1]! });
  page = await page.follow(chip());
  expect(page.url).toBe(`${path}/versions?c=release`);
  expect(chip().getAttribute('aria-current')).toBe('true');
  page = await page.follow(chip());
  expect(page.url).toBe(`${path}/versions`);
  const more = page.document.querySelector(`[aria-label="More options for ${newest.version_number}"]`)!;
  const menu = more.closest('details')!;
  menu.setAttribute('open', '');
  page.one('link', { name: 'Open in a new tab', within: menu });
  page = await site.open(`${path}/versions?page=99`);
  page = await page.follow(page.one('link', { name: 'Go to the last page' }));
  expect(page.main.querySelectorAll(rows)).not.toHaveLength(0);
});
