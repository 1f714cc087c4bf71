import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectSources, SourceTree } from './architecture/source-tree.ts';
import { changedFiles } from './changed-files.ts';
import { root } from './install.mjs';
import { reachedTests } from './reached-tests.ts';
import { run } from './run.ts';
import {
  lint,
  printVerdict,
  type Step,
  staticChecks,
  translations,
  types,
  unusedCode,
} from './static-checks.ts';
import { UserError } from './user-error.ts';

/**
 * `npm run check`: required before every commit. Of what differs from HEAD (`--since REF`: from that commit): format and
 * lint, types, unused code, translations, and the unit tests that load it or read the sources, as those of the
 * architecture do. 30 s after a change of one `.ts` or `.tsx` file, 60 s when an `.astro` file changed. `--all`, or without a
 * change: of everything, in 120 s. Slow unit tests (`*.slow.test.ts`) and all with a database, containers, a browser or a
 * whole product run with `npm test` only.
 */
const usage = 'usage: npm run check [-- --all | --since <commit>]';

/** What these say reaches every file. */
const isEverywhere = (path: string): boolean =>
  /^(package(-lock)?\.json|tsconfig[^/]*\.json|biome\.json|vitest\.config\.ts)$|^(patches|bin\/testing)\//.test(
    path,
  );

function stepsFor(changed: readonly string[]): Step[] {
  const tree = projectSources();
  const { unit, postgres } = reachedTests(withRootTests(tree), changed);
  if (postgres.length > 0)
    console.log(`npm test runs ${postgres.length} files of tests with Postgres that this change reaches.`);
  return [() => types(), () => lint(changed), unusedCode, translations, () => unitTests(unit)];
}

const wholeSteps: readonly Step[] = [...staticChecks, () => unitTests([])];

/** The unit tests in `files`, or all but slow ones. */
const unitTests: (files: readonly string[]) => ReturnType<Step> = async (files) => ({
  name:
    files.length > 0 ? `unit and architecture tests (${files.length} files)` : 'unit and architecture tests',
  ...(await run('vitest', ['run', '--project', 'unit', ...files.map((path) => join(root, path))], {
    ...{ quiet: true, aside: true, env: { QUICK: '1' } },
  })),
});

function withRootTests(tree: SourceTree): SourceTree {
  const own = globSync('*.test.ts', { cwd: root });
  return new SourceTree({
    ...Object.fromEntries(tree.paths.map((path) => [path, tree.text(path)])),
    ...Object.fromEntries(own.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
  });
}

function optionsOf(args: string[]): { all: boolean; since: string } {
  try {
    const { values } = parseArgs({
      args,
      options: { all: { type: 'boolean', default: false }, since: { type: 'string', default: 'HEAD' } },
    });
    return values;
  } catch {
    throw new UserError(usage);
  }
}

try {
  const { all, since } = optionsOf(process.argv.slice(2));
  const changed = all ? [] : changedFiles(since);
  const isWhole = changed.length === 0 || changed.some(isEverywhere);
  const began = Date.now();
  const verdicts = await Promise.all((isWhole ? wholeSteps : stepsFor(changed)).map((step) => step()));
  for (const verdict of verdicts) printVerdict(verdict);
  console.log(
    `${isWhole ? 'everything' : `${changed.length} changed files`} in ${((Date.now() - began) / 1000).toFixed(0)} s`,
  );
  process.exitCode = verdicts.every(({ code }) => code === 0) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = error.exit_code;
}
