import { run } from './run.ts';
import { printVerdict, staticChecks, type Verdict } from './static-checks.ts';

/**
 * `npm run check`: required before every commit, under 90 s: format, lint, types, unit and architecture tests. Slow
 * unit tests are named `*.slow.test.ts` and run with `npm test` only.
 */
const unit = async (): Promise<Verdict> => ({
  name: 'unit and architecture',
  ...(await run('vitest', ['run', '--project', 'unit'], { quiet: true, aside: true, env: { QUICK: '1' } })),
});

const verdicts = await Promise.all([...staticChecks, unit].map((step) => step()));
for (const verdict of verdicts) printVerdict(verdict);
process.exit(verdicts.every(({ code }) => code === 0) ? 0 : 1);
