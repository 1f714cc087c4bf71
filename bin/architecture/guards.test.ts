import { expect, it } from 'vitest';
import * as guards from './guards.ts';
import { SourceTree } from './source-tree.ts';

type Guard = (tree: SourceTree) => string[];
const sqlFile = { 'db/platform/postgres/sql.ts': 'export interface Db {}' };
const read = {
  ...sqlFile,
  'db/mods/stock.ts': "import type { Db } from '../sql.ts';\nexport const a = (db: Db) => db`select 1`;",
};

/** For each guard a sample that must fail, and a similar one that must pass. */
const samples: Array<
  [name: string, guard: Guard, bad: Record<string, string>, good: Record<string, string>]
> = [
  [
    'an import against the arrows',
    guards.wrongArrows,
    { 'db/a.ts': "import '#site/b.ts';", 'site/b.ts': '' },
    { 'site/b.ts': "import '#db/a.ts';", 'db/a.ts': '' },
  ],
  [
    'an agent that reaches the database through a file of rules',
    guards.wrongArrows,
    { ...read, 'agents/a.ts': "import '#db/mods/rules.ts';", 'db/mods/rules.ts': "import './stock.ts';" },
    { 'agents/a.ts': "import '#db/mods/rules.ts';", 'db/mods/rules.ts': '' },
  ],
  [
    'an import of nothing',
    guards.missingFiles,
    { 'db/a.ts': "import './b.ts';" },
    { 'db/a.ts': "import 'node:fs';" },
  ],
  [
    'product code whose name looks like a test',
    guards.testsInProduct,
    { 'db/open.ts': "import './testing/processor.ts';", 'db/testing/processor.ts': '' },
    { 'db/open.test.ts': "import './testing/processor.ts';", 'db/testing/processor.ts': '' },
  ],
  [
    'rules that import more than rules',
    guards.impureRules,
    { 'db/mods/rules.ts': "import '../format.ts';", 'db/format.ts': '' },
    { 'db/mods/rules.ts': "import '../tags/rules.ts';", 'db/catalogue/tags/rules.ts': '' },
  ],
  [
    'rules that read a clock',
    guards.clocksInRules,
    { 'db/mods/rules.ts': 'export const now = () => Date.now();' },
    { 'db/mods/rules.ts': 'export const late = (now: Date) => now;' },
  ],
  [
    'an island that reaches a query in a file of any name',
    guards.serverCodeInBrowsers,
    { ...read, 'site/mods/List.tsx': "import { a } from '#db/mods/stock.ts';" },
    { ...read, 'site/mods/List.tsx': "import type { a } from '#db/mods/stock.ts';" },
  ],
  [
    'an island that reaches Node or a server package',
    guards.serverCodeInBrowsers,
    { 'site/mods/List.tsx': "import './format.ts';", 'site/mods/format.ts': "import 'node:fs';" },
    { 'site/mods/List.tsx': "import 'react';" },
  ],
  [
    'a component that loads',
    guards.loadingComponents,
    {
      ...read,
      'site/mods/Frame.astro': "---\nimport { a } from './mods.server.ts';\n---",
      'site/mods/mods.server.ts': '',
    },
    {
      ...read,
      'site/mods/Frame.astro': "---\nimport type { A } from './mods.server.ts';\n---",
      'site/mods/mods.server.ts': '',
    },
  ],
  [
    'a query used beside the entry points',
    guards.queriesBesideEntryPoints,
    { ...read, 'site/mods/list.ts': "import { a } from '#db/mods/stock.ts';" },
    { ...read, 'site/mods/list.server.ts': "import { a } from '#db/mods/stock.ts';" },
  ],
  [
    'a query outside db/',
    guards.queriesOutsideDb,
    { 'control-plane/a.ts': 'await sql`update nodes set x = 1`;' },
    { 'control-plane/a.ts': 'say(`select one`); // not `select 1`', 'db/a.ts': 'await sql`select 1`;' },
  ],
  [
    'SQL built from strings',
    guards.builtQueries,
    { 'db/a.ts': 'sql.unsafe(text)' },
    { 'db/migrations/migrate.ts': 'sql.unsafe(text)' },
  ],
  [
    'rows that are taken without a bound',
    guards.unboundedClaims,
    {
      'db/a.ts':
        'sql`update jobs set x = 1 where id in (select id from jobs limit 4 for update skip locked)`',
    },
    {
      'db/a.ts':
        'sql`update jobs set x = 1 where id = any(array(select id from jobs limit 4 for update skip locked))`',
    },
  ],
  [
    'a circle of files, also of types',
    guards.circlesOfFiles,
    { 'db/a.ts': "import './b.ts';", 'db/b.ts': "import type { A } from './a.ts';" },
    { 'db/a.ts': "import './b.ts';", 'db/b.ts': '' },
  ],
  [
    'a circle of folders',
    guards.circlesOfFolders,
    {
      'db/a/x.ts': "import '../b/x.ts';",
      'db/b/x.ts': '',
      'db/b/y.ts': "import '../a/y.ts';",
      'db/a/y.ts': '',
    },
    { 'db/a/x.ts': "import '../b/x.ts';", 'db/b/x.ts': '' },
  ],
  [
    'a storage adapter used outside db/platform/storage',
    guards.storageAdapters,
    { 'db/mods/a.ts': "import '../platform/storage/disk.ts';", 'db/platform/storage/disk.ts': '' },
    { 'db/platform/storage/open.ts': "import './disk.ts';", 'db/platform/storage/disk.ts': '' },
  ],
  [
    'a project looked up whoever asks',
    guards.unaskedProjects,
    { 'site/api/a.ts': 'const project = await projectRef(sql, params.id);' },
    { 'site/api/a.ts': 'const project = await projectForAction(sql, params.id, actor);' },
  ],
  [
    'a page that asks which payment processor there is',
    guards.processorsElsewhere,
    {
      'db/money/billing/processors/gold/adapter.ts': '',
      'site/shop/Form.astro': "{PAYMENTS === 'gold' && <GoldForm />}",
    },
    {
      'db/money/billing/processors/gold/definition.ts': "export const name = 'gold';",
      'site/hosting/checkout/processors/gold/Form.astro':
        '<a href="https://gold.com" data-key={GOLD_KEY}>Gold</a>',
      'site/shop/Form.astro': "{PAYMENTS !== 'off' && <p>Gold</p>}",
    },
  ],
  [
    'the library of a payment processor in another folder',
    guards.processorsElsewhere,
    {
      'db/money/billing/processors/gold/adapter.ts': '',
      'site/shop/open.ts': "import { open } from '@gold/browser';",
    },
    { 'db/money/billing/processors/gold/adapter.ts': "import gold from 'gold';" },
  ],
  ['a name that says nothing', guards.vagueNames, { 'site/utils.ts': '' }, { 'site/format.ts': '' }],
  [
    'settings read from the environment',
    guards.ambientSettings,
    { 'db/mods/read.ts': 'export const url = () => parseSettings(process.env).CDN_URL;' },
    {
      'db/mods/read.ts': 'export const url = ({ CDN_URL }: Settings) => CDN_URL;',
      'db/mods/exec.ts': "const env = { ...process.env, LC_ALL: 'C' };",
      'control-plane/main.ts': 'const settings = parseSettings(process.env);',
    },
  ],
  ['a barrel', guards.vagueNames, { 'site/ui/index.ts': '' }, { 'site/pages/index.ts': '' }],
];

it.each(samples)('finds %s', (_name, guard, bad, good) => {
  expect(guard(new SourceTree(bad))).toHaveLength(1);
  expect(guard(new SourceTree(good))).toEqual([]);
});

it('has a sample for every guard', () => {
  const all = Object.values(guards).filter((one): one is Guard => typeof one === 'function');
  expect(all.filter((guard) => !samples.some(([, tried]) => tried === guard))).toEqual([]);
});
