import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser } from './browser.ts';
import { chromium } from './chromium.ts';
import { removeLeftovers } from './containers.ts';
import { ensureDocker, type TestEngine } from './docker.ts';
import { compile } from './install.mjs';
import { freePortBlock } from './port-block.ts';
import { run } from './run.ts';
import { openRunFolder } from './run-folder.ts';
import { printVerdict, staticChecks } from './static-checks.ts';
import { lastLines, none, type Outcome, secondTries, sum } from './test-outcome.ts';
import { measured, type Phase, type PhaseName, phaseLines } from './test-phases.ts';
import { ensureTestPrograms } from './test-programs.ts';
import { openReports } from './test-reports.ts';
import { writeContentTypes } from './type-check.ts';
import { vitest } from './vitest.ts';

/**
 * `npm test`: everything, ordered to fail early. Ends with the time of each phase and one line `N passed, N failed`; a program
 * that fails without a failed test counts as one failure, so that the line is never too optimistic.
 * Source: stack §10.
 */
const began = Number(process.env.TEST_BEGAN_MS ?? Date.now());
const reports = openReports();
const removeRunFolder = await openRunFolder();

type Ready = TestEngine & { why: string | null };
const phases: Phase[] = [];
const tries = secondTries();
const one = (name: string, why: string | null): Outcome =>
  why === null ? { ...none, passed: 1 } : { ...none, failed: [{ name, why }] };

/** Runs a phase and adds it to the table. */
async function phase(name: PhaseName, work: () => Promise<Outcome>): Promise<void> {
  phases.push(await measured(name, work));
}
const ofVitest = (name: PhaseName, projects: readonly string[]) =>
  phase(name, () => vitest(reports, projects, { tries }));

phases.push({
  ...{ name: 'install', seconds: (Date.now() - began) / 1000, cpu_seconds: 0, busy: 0 },
  outcome: none,
});
let engine: Ready = { stop: async () => {}, why: 'The packages could not be installed.' };
const packages = phase('packages', async () => {
  await ensureTestPrograms(console.log);
  engine = await engineReady();
  return one('a Docker engine', engine.why);
});
const executable = packages.then(chromium);
// Docker tests mostly wait, so they run beside CPU-bound ones
const containers = packages.then(() => phase('docker', containersTested));
// the check of types and the build need them, and write them to the same place
await writeContentTypes();
// each uses one core most of the time
await Promise.all([phase('checks', checked), phase('build', built)]);
await ofVitest('unit', ['unit']);
await ofVitest('postgres', ['record', 'isolated']);
await ofVitest('page', ['page']);
await containers;
await phase('browser', inBrowser);
await ofVitest('start', ['site', 'start']);
await engine.stop();
await removeRunFolder();

const all = sum(phases.map(({ outcome }) => outcome));
for (const line of phaseLines(phases, (Date.now() - began) / 1000)) console.log(line);
for (const line of lastLines(all)) console.log(line);
process.exitCode = all.failed.length === 0 ? 0 : 1;

async function checked(): Promise<Outcome> {
  const verdicts = await Promise.all(staticChecks.map((step) => step()));
  for (const verdict of verdicts) printVerdict(verdict);
  return sum(verdicts.map(({ name, code, output }) => one(name, code === 0 ? null : output)));
}

/** Browser tests read pages in pseudo-locales. */
async function built(): Promise<Outcome> {
  const { code, output } = await run(process.execPath, ['bin/build.ts'], {
    quiet: true,
    env: { PSEUDO_LOCALES: '1' },
  });
  return one('build', code === 0 ? null : output);
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

async function containersTested(): Promise<Outcome> {
  if (engine.why !== null) {
    console.error(engine.why);
    return none;
  }
  await removeLeftovers(null);
  // agents and control planes that tests kill would compile all they load, each of them
  await compile(process.env);
  return await vitest(reports, ['docker'], { tries });
}

/** The product gets ports and a folder of its own, so that another one on this machine disturbs nothing. */
async function inBrowser(): Promise<Outcome> {
  const data = join(tmpdir(), 'e2e');
  process.env.E2E_PORT = String(await freePortBlock(64));
  process.env.E2E_DATA = data;
  const outcome = await browser(reports, await executable, tries);
  // game servers keep running after their product ends
  if (engine.why === null) await removeLeftovers(data);
  return outcome;
}
