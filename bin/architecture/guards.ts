import { containsQuery, isBrowserEntry, isComponent, isTest, usesDatabase } from './contents.ts';
import { cycles } from './cycles.ts';
import { type SourceTree, wayTo } from './source-tree.ts';

/**
 * The architecture rules as functions: each gives the violations in a tree, one readable line each. They check what a
 * file contains and reaches; a file name alone exempts nothing. Source: decisions §5.1.
 */
const mayImport: Record<string, readonly string[]> = {
  db: [],
  content: [],
  site: ['db', 'content'],
  'control-plane': ['db', 'content'],
  agents: [],
  bin: ['db', 'content', 'site', 'control-plane', 'agents'],
  bench: ['db', 'content', 'site', 'control-plane', 'agents', 'bin'],
  // tests compare the pages with the table that the benchmark measures
  e2e: ['db', 'content', 'site', 'control-plane', 'agents', 'bin', 'bench'],
};
const folderOf = (path: string): string => path.split('/', 1)[0] ?? '';
const isOurs = (path: string): boolean => folderOf(path) in mayImport;
const product = (tree: SourceTree): string[] => tree.paths.filter((path) => !isTest(path));

const arrows = (tree: SourceTree) =>
  tree.paths.flatMap((from) =>
    tree
      .imports(from)
      .filter(({ to }) => isOurs(to))
      .map(({ to, type }) => ({ from, to, type, text: `${from} -> ${to}` })),
  );

/** Files of `paths` that reach a file matching `forbidden`, with the import chain. */
const reaching = (tree: SourceTree, paths: readonly string[], forbidden: (to: string) => boolean): string[] =>
  paths.flatMap((path) => {
    const way = tree.reachedFrom(path);
    return [...way.keys()].filter((to) => to !== path && forbidden(to)).map((to) => wayTo(way, to));
  });

/** Imports between top-level folders that the design does not allow. */
export function wrongArrows(tree: SourceTree): string[] {
  return arrows(tree)
    .filter(({ from, to, type }) => {
      const [here, there] = [folderOf(from), folderOf(to)];
      if (here === there || mayImport[here]?.includes(there)) return false;
      if (type && here === 'site' && isProtocol(to)) return false;
      // an agent runs on machines without a database: it shares the protocol, rules and the runtime
      if (here === 'agents') return !(isProtocol(to) || (to.startsWith('db/') && !isDatabaseSide(tree, to)));
      // the message catalog is checked against refusals and rules
      return !(here === 'content' && /^db\/.+\/(errors|rules)\.ts$/.test(to));
    })
    .map(({ text }) => text);
}
const isProtocol = (path: string): boolean => /^control-plane\/protocol\//.test(path);

/** Whether a file is or reaches something that works on the database. */
const isDatabaseSide = (tree: SourceTree, path: string): boolean =>
  [...tree.reachedFrom(path).keys()].some((one) => usesDatabase(tree, one));

/** Imports of files that do not exist. */
export const missingFiles = (tree: SourceTree): string[] =>
  arrows(tree)
    .filter(({ to }) => /\.(ts|tsx|astro)$/.test(to) && !tree.has(to) && !to.endsWith('.d.ts'))
    .map(({ text }) => text);

/** Product code that imports test code. */
export const testsInProduct = (tree: SourceTree): string[] =>
  arrows(tree)
    .filter(({ from, to, type }) => !type && !isTest(from) && isTest(to))
    .map(({ text }) => text);

/** Rules that import more than rules, refusals and plain data: islands and agents use them. */
export const impureRules = (tree: SourceTree): string[] =>
  reaching(
    tree,
    product(tree).filter((path) => /^db\/.+\/rules\.ts$/.test(path)),
    (to) => !/^db\/.+\/(rules|errors)\.ts$|^db\/.+\/data\/|\.json$/.test(to),
  );

/** Rules that read a clock. */
export const clocksInRules = (tree: SourceTree): string[] =>
  product(tree).filter(
    (path) =>
      path.endsWith('/rules.ts') && /Date\.now\(|new Date\(\)|performance\.now\(/.test(tree.code(path)),
  );

const browserPackages =
  /^(react|react-dom|croner|cronstrue|nanostores|@nanostores\/react|@orama\/orama|hash-wasm|lucide-static|smol-toml|sortablejs|socket\.io-client|tus-js-client|uplot|yaml|@simplewebauthn\/browser|@stripe\/stripe-js|@codemirror\/[\w-]+|@lezer\/\w+)(\/|$)/;

/** Browser code that reaches the database, a server module, Node or a package that browsers do not need. */
export const serverCodeInBrowsers = (tree: SourceTree): string[] =>
  reaching(tree, product(tree).filter(isBrowserEntry), (to) =>
    isOurs(to) ? usesDatabase(tree, to) || to.endsWith('.server.ts') : !browserPackages.test(to),
  );

/**
 * Components that load data: they may only render props, since an error after the head can no longer change the status.
 */
export const loadingComponents = (tree: SourceTree): string[] =>
  reaching(
    tree,
    product(tree).filter(isComponent),
    (to) => isOurs(to) && (usesDatabase(tree, to) || to.endsWith('.server.ts')),
  );

/** Files of the site that reach a query other than through a page, an endpoint, middleware or a `.server.ts`. */
export function queriesBesideEntryPoints(tree: SourceTree): string[] {
  const entry =
    /^site\/(pages|api|platform\/(http|route|upload|ready-answers))\/|^site\/[\w-]+\.ts$|\.server\.ts$/;
  return arrows(tree)
    .filter(
      ({ from, to, type }) =>
        !type && from.startsWith('site/') && !isTest(from) && !entry.test(from) && usesDatabase(tree, to),
    )
    .map(({ text }) => text);
}

/** Queries outside `db/`. An agent's local state is not part of the database. */
export const queriesOutsideDb = (tree: SourceTree): string[] =>
  product(tree).filter((path) => !/^(db|agents)\//.test(path) && containsQuery(tree, path));

/** SQL built from strings outside migrations and the job queue. */
export const builtQueries = (tree: SourceTree): string[] =>
  product(tree).filter(
    (path) =>
      /\.unsafe\(/.test(tree.code(path)) &&
      !/^db\/(migrations\/migrate|platform\/jobs\/queue)\.ts$/.test(path),
  );

/**
 * Updates that take up to a number of rows by `in (select … limit … skip locked)`: Postgres may read that again for every row,
 * and each time takes others. `= any(array(…))` is read once.
 */
export const unboundedClaims = (tree: SourceTree): string[] =>
  product(tree).filter((path) =>
    /\bin \(\s*select\b[^`]*\blimit\b[^`]*\bskip locked\s*\)/i.test(tree.code(path)),
  );

/** Import cycles between files, type imports and the helpers of tests included: neither file can be understood alone. */
export function circlesOfFiles(tree: SourceTree): string[] {
  const nodes = tree.paths.filter((path) => !/\.(test|e2e)\.tsx?$/.test(path));
  const known = new Set(nodes);
  return cycles(nodes, (path) => tree.imports(path).flatMap(({ to }) => (known.has(to) ? to : []))).map(
    (group) => group.join(' <-> '),
  );
}

/** Import cycles between what lies in one folder, of any depth: its folders and its files. */
export function circlesOfFolders(tree: SourceTree): string[] {
  const known = new Set(product(tree));
  const levels = new Map<string, Map<string, Set<string>>>();
  for (const from of known)
    for (const { to } of tree.imports(from)) {
      if (!known.has(to)) continue;
      const [here, there] = [from.split('/'), to.split('/')];
      const depth = here.findIndex((part, place) => part !== there[place]);
      if (depth < 1) continue; // the file itself; arrows between top-level folders have a rule of their own
      const folder = here.slice(0, depth).join('/');
      const edges = levels.get(folder) ?? new Map<string, Set<string>>();
      levels.set(folder, edges);
      edges.set(here[depth]!, (edges.get(here[depth]!) ?? new Set()).add(there[depth]!));
    }
  return [...levels].flatMap(([folder, edges]) =>
    cycles([...edges.keys()], (one) => edges.get(one) ?? []).map(
      (group) => `${folder}: ${group.join(' <-> ')}`,
    ),
  );
}

/** Imports of a storage adapter from outside `db/platform/storage`, which chooses the adapter. */
export const storageAdapters = (tree: SourceTree): string[] =>
  arrows(tree)
    .filter(
      ({ from, to }) =>
        /^db\/platform\/storage\/(disk.*|reserve|open)\.ts$/.test(to) &&
        !from.startsWith('db/platform/storage/') &&
        !isTest(from) &&
        // the process context, the scanner's own process, and what reports on free space or leaves some
        !(to === 'db/platform/storage/open.ts' && opensStorage.test(from)) &&
        !(to === 'db/platform/storage/reserve.ts' && asksForSpace.test(from)),
    )
    .map(({ text }) => text);
const asksForSpace = /^bin\/cairn\/doctor\.ts$|^site\/platform\/route\/written-bytes\.ts$/;
const opensStorage = /^db\/(context|moderation\/scanner\/scan-process)\.ts$|^site\/testing\/kill-server\.ts$/;

/**
 * Projects looked up whoever asks: what people do to a project goes through `projectForAction`, which refuses hidden ones like
 * missing ones. The others are for operators and staff.
 */
export const unaskedProjects = (tree: SourceTree): string[] =>
  product(tree).filter((path) => !looksUp.test(path) && /\bawait projectRef\(/.test(tree.code(path)));
const looksUp =
  /^bin\/|^db\/catalogue\/projects\/(read|for-action)\.ts$|^site\/api\/follow\.ts$|^site\/api\/internal\/(admin|external-files|review|technical-review)\.ts$|^site\/moderation\/takedowns\/takedown-forms\.server\.ts$/;

/** The payment processors that have a folder, by its name. */
const processorNames = (tree: SourceTree): string[] => [
  ...new Set(
    tree.paths.flatMap((path) => /^db\/money\/billing\/processors\/([\w-]+)\//.exec(path)?.[1] ?? []),
  ),
];
const knowsProcessors =
  /^db\/money\/billing\/processors\/|^db\/platform\/runtime\/settings\/|^site\/hosting\/checkout\/processors\/|^bin\/architecture\//;

/**
 * Code that knows a payment processor outside of its folders: by its name, a setting, an address or a package of it. What others
 * ask is a part of its definition, so that a new processor changes nothing there. The interface that programs know has names of
 * its own, which no rule of ours follows.
 */
export function processorsElsewhere(tree: SourceTree): string[] {
  const names = processorNames(tree).join('|');
  const known = new RegExp(
    `(['"\`])(${names})(_test)?\\1|\\b(${names.toUpperCase()})_[A-Z]|\\b(${names})\\.com\\b|PAYMENTS\\s*[!=]==?\\s*'(?!off')`,
  );
  const itsPackage = new RegExp(`^@?(${names})(/|$)`);
  return product(tree).filter(
    (path) =>
      !knowsProcessors.test(path) &&
      (known.test(tree.code(path)) || tree.imports(path).some(({ to }) => itsPackage.test(to))),
  );
}

/** The programs: they read the environment and pass on what it says. */
const isProgram = (path: string): boolean =>
  /^bin\/|^(agents|control-plane)\/main\.ts$|^agents\/local-kind\/server\.ts$|^site\/(dev-)?server\.ts$/.test(
    path,
  );

/** Product code that reads settings from the environment, besides the programs: they are passed as arguments. */
export const ambientSettings = (tree: SourceTree): string[] =>
  product(tree).filter(
    (path) =>
      !isProgram(path) &&
      // the mode of the process is no setting, and child processes get the environment as it is
      /(?<!env(:| =) \{ \.\.\.)\bprocess\.env\b(?!\.(NODE_ENV|PSEUDO_LOCALES|PATH)\b)/.test(tree.code(path)),
  );

/** Vague file names, and barrels. */
export const vagueNames = (tree: SourceTree): string[] =>
  tree.paths.filter(
    (path) =>
      /(^|\/)(utils?|helpers?|common|manager|service|base)(\.|\/)/.test(path) ||
      (/(^|\/)index\.tsx?$/.test(path) && !path.startsWith('site/pages/')),
  );
