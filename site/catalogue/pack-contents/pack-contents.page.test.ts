import { beforeAll, expect, test } from 'vitest';
import { demoSite } from '../../testing/test-site.ts';

const site = demoSite();
const pack = '/modpack/long-winter';

interface Version {
  id: string;
  version_number: string;
  version_type: string;
  dependencies: Array<{ dependency_type: string; project_id: string | null }>;
}
/** Newest first. */
let versions: Version[];
beforeAll(async () => {
  versions = await site.json<Version[]>('/v2/project/long-winter/version');
});
const included = ({ dependencies }: Version) =>
  dependencies.filter(({ dependency_type }) => dependency_type === 'embedded').length;

test('a modpack has a tab with what is in its newest release, and what changed since an older version', async () => {
  const page = await (await site.open(pack)).follow(
    (await site.open(pack)).one('link', { name: 'Contents' }),
  );
  expect(page.url).toBe(`${pack}/contents`);
  const newest = versions.find(({ version_type }) => version_type === 'release')!;
  expect(page.text(page.main)).toMatch(new RegExp(`${included(newest)} mods?`));
  expect(page.text(page.main)).toContain('Overrides: 1 file');
  page.one('link', { name: 'Snowline', within: page.main });
  page.one('heading', { name: /^Mods/ });
  expect(page.one('combobox', { name: 'Version' }).querySelectorAll('option')).toHaveLength(versions.length);
  if (versions.length > 1) page.one('heading', { name: /^Changes since / });
});

test('another version and what it is compared with stand in the address, by id or number', async () => {
  const [oldest] = versions.toReversed();
  for (const named of [oldest!.id, oldest!.version_number]) {
    const page = await site.open(`${pack}/contents?version=${named}`);
    expect(page.status).toBe(200);
    expect(page.one('combobox', { name: 'Version' }).querySelector('option[selected]')?.textContent).toBe(
      oldest!.version_number,
    );
    // nothing came before the first one
    expect(page.all('heading', { name: /^Changes since/ })).toEqual([]);
  }
  const page = await site.open(`${pack}/contents?since=${oldest!.id}`);
  page.one('heading', { name: new RegExp(`^Changes since .?${oldest!.version_number}`) });
});

test('a version that is not there is said, and the list is narrowed without scripts', async () => {
  const missing = await site.open(`${pack}/contents?version=never`);
  expect([missing.status, missing.text(missing.main)]).toEqual([
    200,
    expect.stringMatching(/There’s no version .?never/),
  ]);
  const found = await site.open(`${pack}/contents?q=snowline`);
  found.one('link', { name: 'Snowline', within: found.main });
  expect(found.all('link', { name: 'Hearthkeep', within: found.main })).toEqual([]);
});

test('only modpacks have the tab, and a version of one leads there instead of naming everything', async () => {
  expect((await site.open('/mod/lanternroot/contents')).status).toBe(404);
  const mod = await site.open('/mod/lanternroot');
  expect(mod.all('link', { name: 'Contents' })).toEqual([]);
  const [newest] = versions;
  let page = await site.open(`${pack}/version/${newest!.version_number}`);
  expect(page.all('link', { name: 'Snowline', within: page.main })).toEqual([]);
  page = await page.follow(page.one('link', { name: `${included(newest!)} projects in this pack` }));
  expect(page.url).toBe(`${pack}/contents?version=${newest!.id}`);
});
