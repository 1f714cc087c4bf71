import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isTest } from './bin/architecture/contents.ts';
import * as guards from './bin/architecture/guards.ts';
import { projectSources } from './bin/architecture/source-tree.ts';
import { root } from './bin/install.mjs';

/** Who may import whom, and what a file may contain: the architecture, executable. Samples that fail: `bin/architecture`. */
const tree = projectSources();

describe('the architecture', () => {
  it('has no import against the arrows of the top-level folders', () => {
    expect(guards.wrongArrows(tree)).toEqual([]);
  });
  it('has no import of a file that does not exist', () => {
    expect(guards.missingFiles(tree)).toEqual([]);
  });
  it('keeps test code out of the product', () => {
    expect(guards.testsInProduct(tree)).toEqual([]);
  });
  it('keeps rules pure and without a clock', () => {
    expect(guards.impureRules(tree)).toEqual([]);
    expect(guards.clocksInRules(tree)).toEqual([]);
  });
  it('keeps server code out of browsers', () => {
    expect(guards.serverCodeInBrowsers(tree)).toEqual([]);
  });
  it('loads in pages and entry points, never in components', () => {
    expect(guards.loadingComponents(tree)).toEqual([]);
    expect(guards.queriesBesideEntryPoints(tree)).toEqual([]);
  });
  it('has SQL only below db/, and builds none from strings', () => {
    expect(guards.queriesOutsideDb(tree)).toEqual([]);
    expect(guards.builtQueries(tree)).toEqual([]);
  });
  it('takes no more rows than a query says', () => {
    expect(guards.unboundedClaims(tree)).toEqual([]);
  });
  it('has no circle between files', () => {
    expect(guards.circlesOfFiles(tree)).toEqual([]);
  });
  it('has no circle between the folders of db/, and none between those of site/', () => {
    expect(guards.circlesOfFolders(tree)).toEqual([]);
  });
  it('reaches storage by its interface only', () => {
    expect(guards.storageAdapters(tree)).toEqual([]);
  });
  it('knows a payment processor in its folders only', () => {
    expect(guards.processorsElsewhere(tree)).toEqual([]);
  });
  it('has people name projects by one function, which asks whether they may see them', () => {
    expect(guards.unaskedProjects(tree)).toEqual([]);
  });
  it('reads the environment in its programs only', () => {
    expect(guards.ambientSettings(tree)).toEqual([]);
  });
  it('has file names that say what a file is about, and no barrels', () => {
    expect(guards.vagueNames(tree)).toEqual([]);
  });
});

describe.each([
  { top: 'db', beside: ['demo', 'migrations', 'testing'] },
  { top: 'site', beside: ['api', 'dev', 'pages', 'public', 'testing'] },
])('the areas of $top/', ({ top, beside }) => {
  const areas = readdirSync(`${root}/${top}`, { withFileTypes: true })
    .filter((one) => one.isDirectory() && !beside.includes(one.name))
    .map(({ name }) => name);
  const orderIn = (area: string): string[] =>
    /An area may use those before it: (.+)\./
      .exec(readFileSync(`${root}/${top}/${area}/README.md`, 'utf8'))?.[1]
      ?.split(', ') ?? [];
  const order = orderIn('platform');

  it('stand in one order in all of their READMEs', () => {
    expect(order.toSorted()).toEqual(areas.toSorted());
    expect(areas.filter((area) => orderIn(area).join() !== order.join())).toEqual([]);
  });

  it('use only those before them in this order', () => {
    const placeOf = (path: string): number =>
      path.startsWith(`${top}/`) ? order.indexOf(path.split('/')[1]!) : -1;
    const wrong = tree.paths
      .filter((path) => !isTest(path) && placeOf(path) >= 0)
      .flatMap((from) =>
        tree
          .imports(from)
          .filter(({ to }) => placeOf(to) > placeOf(from))
          .map(({ to }) => `${from} -> ${to}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe('islands', () => {
  /*
   * The product's card binds React for the frontend and players who search in islands. What a search screen shows is one
   * React island, mounted with `client:idle`: server and browser draw the same plain view. HTML that is fetched and put
   * in by hand is not an island.
   */
  it('hold what players search in', () => {
    expect(tree.text('site/discovery/search/Screen.astro')).toMatch(/<Results[^>]*\sclient:/);
    expect(
      tree.paths.filter((path) => path === 'site/discovery/search/Results.tsx' && !isTest(path)),
    ).toHaveLength(1);
  });
});
