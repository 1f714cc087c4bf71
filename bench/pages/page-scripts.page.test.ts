import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testSite } from '#site/testing/test-site.ts';
import known from './page-scripts.json' with { type: 'json' };

/**
 * The scripts of public pages: their bytes, and the sources that they come from. A source that is not listed in
 * `page-scripts.json` came in by an import: the failure names it, with its bytes. When it belongs there, add it to the list.
 */
interface Script {
  imports: readonly string[];
  sources: ReadonlyArray<readonly [source: string, bytes: number]>;
}
/** Source: decisions §3.3. */
const most_bytes = 15_000;
const built = new URL('../../dist/', import.meta.url);
const scripts = () =>
  JSON.parse(readFileSync(new URL('script-sources.json', built), 'utf8')) as Record<string, Script>;

const database = testDatabase();
const site = testSite(database);
let paths: Record<string, string>;
beforeAll(async () => {
  const { sql } = database;
  const project = await build.project(sql, { project_types: ['mod'], body: '# Deep\n\nCaves.' });
  const version = await build.version(sql, project);
  const picture = { project_id: project.id, key: 'data/a.webp', raw_key: 'data/a.png', title: 'Deep' };
  await sql`insert into gallery ${sql(picture)}`;
  const shelf = await build.collection(sql, [project]);
  const pack = await build.project(sql, { project_types: ['modpack'] });
  await build.version(sql, pack, { loaders: ['mrpack'], mrpack_loaders: ['fabric'] });
  const at = `/mod/${project.slug}`;
  paths = {
    ...{
      home: '/',
      project: at,
      gallery: `${at}/gallery`,
      versions: `${at}/versions`,
      changelog: `${at}/changelog`,
      contents: `/modpack/${pack.slug}/contents`,
    },
    ...{ version: `${at}/version/${version.id}`, user: `/user/${project.owner.username}` },
    ...{ collection: `/collection/${shelf.id}`, servers: '/servers', statistics: '/statistics' },
    ...{ 'sign-in': '/auth/sign-in', 'sign-up': '/auth/sign-up', settings: '/settings' },
  };
});

const brotli = (text: string | Buffer) => brotliCompressSync(text).length;
/** The scripts that a page names, with those that they import. */
function loadedBy(document: Document): string[] {
  const all = scripts();
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path) || !all[path]) return;
    found.add(path);
    for (const name of all[path]!.imports) add(`/${name}`);
  };
  for (const { src } of document.querySelectorAll<HTMLScriptElement>('script[src]')) add(src);
  for (const island of document.querySelectorAll('astro-island:is([client=load], [client=idle])'))
    for (const name of ['component-url', 'renderer-url']) add(island.getAttribute(name) ?? '');
  return [...found];
}

test.each(Object.keys(known.pages))(
  'the scripts of %s are those that are known, within their bytes',
  async (name) => {
    const { document } = await site.open(paths[name]!);
    const loaded = loadedBy(document);
    const inline = [...document.querySelectorAll('script:not([src], [type*=json])')].map(
      (one) => one.textContent,
    );
    const sum = [...loaded.map((path) => readFileSync(new URL(`client${path}`, built))), ...inline].reduce(
      (bytes, text) => bytes + brotli(text),
      0,
    );
    const all = scripts();
    const sources = loaded.flatMap((path) => all[path]!.sources).filter(([, bytes]) => bytes > 0);
    const { groups, own } = known.pages[name as keyof typeof known.pages];
    const listed = new Set<string>([
      ...groups.flatMap((group) => known.groups[group as keyof typeof known.groups]),
      ...own,
    ]);
    const came = sources.filter(([source]) => !listed.has(source));
    expect(came.map(([source, bytes]) => `${source} came in with ${bytes} bytes`)).toEqual([]);
    expect([name, sum <= most_bytes, sum]).toEqual([name, true, sum]);
  },
);
