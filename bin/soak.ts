import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDocker } from './docker.ts';
import { root } from './install.mjs';
import { lastLines, sum } from './test-outcome.ts';
import { UserError } from './user-error.ts';
import { vitest } from './vitest.ts';

/**
 * `npm run soak`: tests too slow for `npm test`: the production image built from the Dockerfile and started, and long
 * chaos runs. `npm run soak -- moves 100` runs those whose file is named so, with so many operations instead of the usual
 * number. Ends with `N passed, N failed` as `npm test` does.
 */
const [only, operations] = process.argv.slice(2);
if (operations !== undefined) {
  if (!/^[1-9]\d{0,4}$/.test(operations)) {
    console.error(`${operations} is no number of operations: it must be from 1 to 99999.`);
    process.exit(1);
  }
  process.env.CHAOS_OPERATIONS = operations;
}
const reports = join(root, '.tmp/reports');
mkdirSync(reports, { recursive: true });
try {
  const engine = await ensureDocker(console.log);
  const outcome = sum([await vitest(reports, ['soak'], { only })]);
  await engine.stop();
  for (const line of lastLines(outcome)) console.log(line);
  process.exitCode = outcome.failed.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
