import { describe, expect, it } from 'vitest';
import { tableGrants } from '#db/platform/postgres/roles/grants.ts';
import { isTest } from './contents.ts';
import { projectSources, SourceTree } from './source-tree.ts';
import { filesReached, type Letter, tableAccess } from './table-access.ts';

const tree = projectSources();
const entries = {
  site: tree.paths.filter((path) => path.startsWith('site/') && !isTest(path) && !/\.test\.tsx?$/.test(path)),
  plane: ['control-plane/main.ts'],
};
type Process = keyof typeof entries;
const place = { site: 0, plane: 1 } as const;

/** Only commands and the start migrate, as the owner; the processes read which migrations ran. */
const only_owner = ['db/migrations/migrate.ts'];

/** Table and letter that code of the process has, and what it never does: another process runs that part of the file. */
const withheld: Record<Process, readonly string[]> = {
  // old entries are deleted by a job of the control planes
  site: ['security_events d'],
  plane: [],
};

/** What the SQL does without naming the table: a value decides which. */
const unseen: Record<Process, readonly string[]> = {
  site: ['tokens w', 'oauth_tokens w'], // db/platform/people/last-used.ts
  plane: [
    ...['tokens w', 'oauth_tokens w'],
    ...[0, 1, 2].flatMap((slot) => [`server_minutes_${slot} r`, `server_minutes_${slot} D`]), // db/hosting/servers/figures/roll-up.ts
    ...['search_documents m', 'search_terms m'], // db/discovery/search/postgres/write.ts analyzes them
  ],
};

const letters = ['r', 'a', 'w', 'd'] as const satisfies readonly Letter[];

/** `table letter` -> a file, for everything that the SQL of a process does. */
function doneBy(process: Process): Map<string, string> {
  const files = filesReached(tree, entries[process]).filter((path) => !only_owner.includes(path));
  const access = tableAccess(tree, files, new Set(Object.keys(tableGrants)));
  return new Map(
    [...access].flatMap(([table, known]) =>
      letters.flatMap((letter) =>
        known.has(letter) ? [[`${table} ${letter}`, known.get(letter)!] as const] : [],
      ),
    ),
  );
}

const granted = (process: Process): string[] =>
  Object.entries(tableGrants).flatMap(([table, pair]) =>
    [...pair[place[process]]].map((letter) => `${table} ${letter}`),
  );

describe.each(['site', 'plane'] as const)(
  'the privileges of the %s in db/platform/postgres/roles/grants.ts',
  (process) => {
    const done = doneBy(process);

    it('allow everything that its SQL does', () => {
      const allowed = new Set([...granted(process), ...withheld[process]]);
      const missing = [...done].filter(([need]) => !allowed.has(need));
      expect(missing.map(([need, path]) => `${need}: ${path} needs it`)).toEqual([]);
    });

    it('allow nothing that its SQL does not do', () => {
      const needed = new Set([...done.keys(), ...unseen[process]]);
      expect(
        granted(process).filter((need) => !needed.has(need) || withheld[process].includes(need)),
      ).toEqual([]);
    });
  },
);

describe('the access to tables of a file', () => {
  const accessOf = (code: string) => {
    const sample = new SourceTree({ 'site/a.ts': `sql\`${code}\`;` });
    const [found] = tableAccess(sample, ['site/a.ts'], new Set(['t', 'u'])).entries();
    return tableAccess(sample, ['site/a.ts'], new Set(['t', 'u'])).size === 0
      ? ''
      : `${found![0]} ${[...found![1].keys()].join('')}`;
  };

  it.each([
    ['select 1 from t', 't r'],
    ['select 1 from t where true for update', 't rw'],
    ['select 1 from t x join u y on true for no key update of x', 't rw'],
    ['insert into t values (1)', 't ra'],
    ['insert into t values (1) on conflict do nothing', 't ra'],
    ['insert into t values (1) on conflict (id) do update set a = 1', 't raw'],
    ['update t set a = 1', 't rw'],
    ['delete from t', 't rd'],
    ['select 1 from unknown', ''],
  ])('%s: %s', (code, expected) => {
    expect(accessOf(code)).toBe(expected);
  });
});
