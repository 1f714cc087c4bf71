import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { browser } from './browser.ts';
import { build } from './build.ts';
import { removeLeftovers } from './containers.ts';
import { ensureDocker, type TestEngine } from './docker.ts';
import { root } from './install.mjs';
import { printVerdict, staticChecks } from './static-checks.ts';
import { lastLines, none, type Outcome, secondTries, sum } from './test-outcome.ts';
import { ensureTestPrograms } from './test-programs.ts';
import { vitest } from './vitest.ts';

/**
 * `npm test`: everything, ordered to fail early. Ends with one line `N passed, N failed`; a program that fails without
 * a failed test counts as one failure, so that the line is never too optimistic.
 * Source: stack §10.
 */
const reports = join(root, '.tmp/reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

type Ready = TestEngine & { why: string | null };
const outcomes: Outcome[] = [];
const tries = secondTries();
const one = (name: string, why: string | null): Outcome =>
  why === null ? { ...none, passed: 1 } : { ...none, failed: [{ name, why }] };

// before anything else uses apt-get
await ensureTestPrograms(console.log);
// Docker tests mostly wait, so they run beside CPU-bound ones
const containers = containersTested();
const verdicts = await Promise.all(staticChecks.map((step) => step()));
for (const verdict of verdicts) {
  printVerdict(verdict);
  outcomes.push(one(verdict.name, verdict.code === 0 ? null : verdict.output));
}
outcomes.push(await vitest(reports, ['unit', 'record', 'isolated'], { tries }));
const { engine, tested } = await containers;
outcomes.push(one('a Docker engine', engine.why), tested);
outcomes.push(await built());
outcomes.push(await browser(reports, tries));
// game servers keep running after their product ends, also in the browser tests
if (engine.why === null) await removeLeftovers(join(root, '.tmp/e2e'));
outcomes.push(await vitest(reports, ['start'], { tries }));
await engine.stop();

const all = sum(outcomes);
for (const line of lastLines(all)) console.log(line);
process.exitCode = all.failed.length === 0 ? 0 : 1;

/** The engine, and the outcome of its tests; it may have to be installed first. */
async function containersTested(): Promise<{ engine: Ready; tested: Outcome }> {
  const engine = await engineReady();
  if (engine.why !== null) {
    console.error(engine.why);
    return { engine, tested: none };
  }
  await removeLeftovers(null);
  return { engine, tested: await vitest(reports, ['docker'], { tries }) };
}

/** Without an engine the tests that need one fail with instructions; nothing is skipped. */
async function engineReady(): Promise<Ready> {
  try {
    const { stop } = await ensureDocker(console.log);
    return { stop, why: null };
  } catch (error) {
    return { stop: async () => {}, why: (error as Error).message };
  }
}

async function built(): Promise<Outcome> {
  try {
    await build(new AbortController().signal, console.log, true); // browser tests read pages in pseudo-locales
    return one('build', null);
  } catch (error) {
    return one('build', (error as Error).message);
  }
}
