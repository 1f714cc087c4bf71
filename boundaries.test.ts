import { describe, expect, it } from 'vitest';
import { importsOf, isTest, reachedFrom, sources, textOf, wayTo } from './sources.ts';

/** Who may import whom: the architecture of design.md, executable. A message names the import that is too much. */
const mayImport: Record<string, readonly string[]> = {
  db: [],
  content: [],
  site: ['db', 'content'],
  'control-plane': ['db', 'content'],
  agents: [],
  bin: ['db', 'content', 'site', 'control-plane', 'agents'],
  bench: ['db', 'content', 'site', 'control-plane', 'agents', 'bin'],
  // tests hold the pages against the table that the benchmark measures
  e2e: ['db', 'content', 'site', 'control-plane', 'agents', 'bin', 'bench'],
};
const folderOf = (path: string): string => path.split('/', 1)[0] ?? '';
const ours = (path: string): boolean => folderOf(path) in mayImport;
const running = sources.filter((path) => !isTest(path));

/** Every import of our own files as `from -> to`, type imports included. */
const arrows = sources.flatMap((from) =>
  importsOf(from)
    .filter(({ to }) => ours(to))
    .map(({ to, type }) => ({ from, to, type })),
);
const shown = (list: typeof arrows): string[] => list.map(({ from, to }) => `${from} -> ${to}`);

describe('top-level folders', () => {
  it('import only along the arrows of the design', () => {
    const wrong = arrows.filter(({ from, to, type }) => {
      const [here, there] = [folderOf(from), folderOf(to)];
      if (here === there || mayImport[here]?.includes(there)) return false;
      if (type && here === 'site' && to === 'control-plane/protocol.ts') return false;
      // an agent shares words and rules with the rest and nothing else: it runs on machines without a database
      if (here === 'agents')
        return !(
          /^control-plane\/(agent-)?protocol\.ts$/.test(to) ||
          /^db\/(env|errors|log|ending|.+\/rules)\.ts$/.test(to)
        );
      // refusals and rules are words and tables: the catalogue of messages is checked against them
      return !(here === 'content' && /^db\/(errors|.+\/rules)\.ts$/.test(to));
    });
    expect(shown(wrong)).toEqual([]);
  });

  it('let billing know servers, never the reverse', () => {
    const wrong = arrows.filter(
      ({ from, to }) => from.startsWith('db/servers/') && to.startsWith('db/billing/'),
    );
    expect(shown(wrong)).toEqual([]);
  });

  it('have no file that nobody could import or start', () => {
    const missing = arrows.filter(
      ({ to }) => /\.(ts|tsx|astro)$/.test(to) && !sources.includes(to) && !to.endsWith('.d.ts'),
    );
    expect(shown(missing)).toEqual([]);
  });
});

describe('storage', () => {
  it('is reached by its interface only: which adapter it is, is decided in db/storage', () => {
    const wrong = arrows.filter(
      ({ from, to }) =>
        /^db\/storage\/(disk.*|reserve|open)\.ts$/.test(to) &&
        !from.startsWith('db/storage/') &&
        !isTest(from) &&
        // what opens a process, and the operator's word on free space
        !(to === 'db/storage/open.ts' && ['db/record.ts', 'site/api/v2/kill-server.ts'].includes(from)) &&
        !(to === 'db/storage/reserve.ts' && from === 'bin/cairn/doctor.ts'),
    );
    expect(shown(wrong)).toEqual([]);
  });
});

describe('rules', () => {
  it('reach nothing but rules, refusals and plain data, so that islands and agents may use them', () => {
    const allowed = /^db\/(.+\/)?(rules|errors)\.ts$|^db\/.+\/data\/|\.json$/;
    const wrong = running
      .filter((path) => /^db\/.+\/rules\.ts$/.test(path))
      .flatMap((path) => {
        const way = reachedFrom(path);
        return [...way.keys()].filter((to) => !allowed.test(to)).map((to) => wayTo(way, to));
      });
    expect(wrong).toEqual([]);
  });

  it('read no clock', () => {
    const wrong = running.filter(
      (path) => path.endsWith('/rules.ts') && /Date\.now\(|new Date\(\)/.test(textOf(path)),
    );
    expect(wrong).toEqual([]);
  });
});

describe('code for browsers', () => {
  const islands = running.filter((path) => /\.tsx$|\.store\.ts$|^site\/.+\/scripts\//.test(path));

  it('reaches no database, no server module and no package that browsers do not need', () => {
    const packages =
      /^(react|react-dom|nanostores|@nanostores\/react|lucide-static|downshift|socket\.io-client)(\/|$)/;
    const forbidden = (to: string) =>
      /^db\/(.+\/)?(read|write|sql|shape)\.ts$|\.server\.ts$/.test(to) || (!ours(to) && !packages.test(to));
    const wrong = islands.flatMap((path) => {
      const way = reachedFrom(path);
      return [...way.keys()].filter(forbidden).map((to) => wayTo(way, to));
    });
    expect(wrong).toEqual([]);
  });
});

describe('islands', () => {
  /*
   * The product's card binds React for the frontend and players who search in islands. So what a search screen shows (notes,
   * chips, count, pages, hits, help when nothing is found) is one React island, `site/search/Results.tsx`, mounted with
   * `client:idle`: server and browser show the same plain view (JSON with finished words, made once on the server), the
   * address of `found/` answers that JSON, a store holds it, React keeps pictures and focus by keys. HTML that is fetched
   * and put in by hand is not an island.
   */
  it('hold what players search in', () => {
    expect(textOf('site/search/Screen.astro')).toMatch(/<Results[^>]*\sclient:/);
    expect(running.filter((path) => path === 'site/search/Results.tsx')).toHaveLength(1);
  });
});

describe('the record', () => {
  it('is read and written only by pages, endpoints, http modules, middleware and server files of the site', () => {
    const doorway = /^site\/(pages|api|http)\/|^site\/(middleware|server|site|dev)\.ts$|\.server\.ts$/;
    const wrong = arrows.filter(
      ({ from, to, type }) =>
        !type &&
        from.startsWith('site/') &&
        !isTest(from) &&
        /^db\/.+\/(read|write)\.ts$|^db\/sql\.ts$/.test(to) &&
        !doorway.test(from),
    );
    expect(shown(wrong)).toEqual([]);
  });

  it('builds no SQL from strings outside migrations, test databases and the job board', () => {
    const allowed = /^db\/(migrate|test-database|jobs\/board)\.ts$/;
    const wrong = running.filter((path) => /\.unsafe\(/.test(textOf(path)) && !allowed.test(path));
    expect(wrong).toEqual([]);
  });
});

describe('names', () => {
  it('say what a file is about', () => {
    const wrong = sources.filter((path) =>
      /(^|\/)(utils?|helpers?|common|manager|service|base)(\.|\/)/.test(path),
    );
    expect(wrong).toEqual([]);
  });

  it('are the files themselves: no barrels', () => {
    const wrong = sources.filter(
      (path) => /(^|\/)index\.tsx?$/.test(path) && !path.startsWith('site/pages/'),
    );
    expect(wrong).toEqual([]);
  });
});
