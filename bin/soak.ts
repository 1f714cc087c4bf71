import { removeLeftovers } from './containers.ts';
import { ensureDocker } from './docker.ts';
import { openRunFolder } from './run-folder.ts';
import { listLines, type SoakChoice, soakChoice } from './soak/choice.ts';
import { runPart } from './soak/run-part.ts';
import { type PartOutcome, partLine, verdict } from './soak/verdict.ts';
import { lastLines, sum } from './test-outcome.ts';
import { ensureTestPrograms } from './test-programs.ts';
import { openReports } from './test-reports.ts';
import { UserError } from './user-error.ts';

/**
 * `npm run soak`: tests too slow for `npm test`, in parts that can be named (`--list`): `npm run soak -- moves --seed 7
 * --operations 100`. The whole and each part have a bound. Ends as `npm test` does, and with one line of what parts passed and
 * failed.
 */
try {
  const choice = soakChoice(process.argv.slice(2));
  if (choice) await soak(choice);
  else for (const line of listLines()) console.log(line);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function soak(choice: SoakChoice): Promise<void> {
  const { parts, seed, minutes } = choice;
  console.log(`soak: ${parts.map(({ name }) => name).join(', ')}; seed ${seed}; at most ${minutes} minutes`);
  const reports = openReports();
  const removeRunFolder = await openRunFolder();
  await ensureTestPrograms(console.log);
  const engine = parts.some(({ docker }) => docker) ? await ensureDocker(console.log) : null;
  if (engine) await removeLeftovers(null);
  const until = Date.now() + minutes * 60_000;
  const outcomes: PartOutcome[] = [];
  for (const part of parts) {
    const began = Date.now();
    const outcome = await runPart(reports, part, choice, until - began);
    const ran = { part, outcome, minutes: (Date.now() - began) / 60_000 };
    outcomes.push(ran);
    console.log(partLine(ran, choice));
  }
  await engine?.stop();
  await removeRunFolder();
  const all = sum(outcomes.map(({ outcome }) => outcome));
  for (const line of lastLines(all)) console.log(line);
  console.log(verdict(outcomes));
  process.exitCode = all.failed.length === 0 ? 0 : 1;
}
