import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { browser } from './browser.ts';
import { build } from './build.ts';
import { removeLeftovers } from './containers.ts';
import { ensureDocker, type TestEngine } from './docker.ts';
import { root } from './install.mjs';
import { printVerdict, staticChecks } from './static-checks.ts';
import { lastLines, none, type Outcome, secondTries, sum } from './test-outcome.ts';
import { vitest } from './vitest.ts';

/**
 * `npm test`: everything, in the order that tells soonest what is wrong. Ends with one line `N passed, N failed`; a
 * program that fails without a failed test counts as one failure, so the line can never be better than the truth.
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

// tests of containers mostly wait, so they cost little beside what computes
const containers = containersTested();
const verdicts = await Promise.all(staticChecks.map((step) => step()));
for (const verdict of verdicts) {
  printVerdict(verdict);
  outcomes.push(one(verdict.name, verdict.code === 0 ? null : verdict.output));
}
outcomes.push(await vitest(reports, ['unit', 'record'], tries));
const { engine, tested } = await containers;
outcomes.push(one('a Docker engine', engine.why), tested);
outcomes.push(await built());
outcomes.push(await browser(reports, tries));
// game servers outlive their product, that of the browser tests as any other
if (engine.why === null) await removeLeftovers(join(root, '.tmp/e2e'));
outcomes.push(await vitest(reports, ['start'], tries));
await engine.stop();

const all = sum(outcomes);
for (const line of lastLines(all)) console.log(line);
process.exitCode = all.failed.length === 0 ? 0 : 1;

/** The engine, and what its tests came to once it answers; it may have to be installed. */
async function containersTested(): Promise<{ engine: Ready; tested: Outcome }> {
  const engine = await engineReady();
  if (engine.why !== null) {
    console.error(engine.why);
    return { engine, tested: none };
  }
  await removeLeftovers(null);
  return { engine, tested: await vitest(reports, ['docker'], tries) };
}

/** Without an engine the tests that need one have failed, and the words say what to do; nothing is skipped. */
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
    await build(new AbortController().signal, console.log);
    return one('build', null);
  } catch (error) {
    return one('build', (error as Error).message);
  }
}
