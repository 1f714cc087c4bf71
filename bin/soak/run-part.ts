import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../install.mjs';
import { none, type Outcome, secondTries } from '../test-outcome.ts';
import { vitest } from '../vitest.ts';
import type { SoakChoice } from './choice.ts';
import type { SoakPart } from './parts.ts';

const minute_ms = 60_000;
/** No part has an end in less. `--minutes 1` is enough for one. */
const least_ms = minute_ms / 2;

/**
 * Runs the tests of a part, each once, and ends them when the part or the whole run has taken too long; `left_ms` is what
 * is left of the run.
 */
export async function runPart(
  reports: string,
  part: SoakPart,
  { seed, operations }: SoakChoice,
  left_ms: number,
): Promise<Outcome> {
  const failed = (why: string): Outcome => ({ ...none, failed: [{ name: `soak ${part.name}`, why }] });
  if (left_ms < least_ms) return failed('no time was left for it (--minutes)');
  const timeout_ms = Math.min(part.minutes * minute_ms, left_ms);
  let is_late = false;
  const outcome = await vitest(reports, part.files ? ['soak'] : ['unit', 'record', 'isolated'], {
    tries: secondTries(0),
    name: `soak-${part.name}`,
    // the properties of a usual run have a limit that fits their usual number
    more: part.files ? part.files : ['--testTimeout=900000', ...filesWithProperties()],
    child: {
      env: {
        SOAK_SEED: String(seed),
        ...sizeOf(part, operations),
      },
      timeout_ms,
      onTimeout: () => {
        is_late = true;
      },
    },
  });
  if (!is_late) return outcome;
  return failed(`it took longer than ${Math.round(timeout_ms / minute_ms)} minutes and was ended`);
}

/** Properties are multiplied in any case; everything else has its usual size by itself. */
export function sizeOf({ counts }: SoakPart, operations: number | null): Record<string, string> {
  if (counts?.as) return { [counts.as]: String(operations ?? counts.usual) };
  return operations === null ? {} : { SOAK_OPERATIONS: String(operations) };
}

/** Test files that try properties on generated inputs. */
const filesWithProperties = (): string[] =>
  globSync('*/**/*.test.ts', { cwd: root, exclude: (path) => path.endsWith('node_modules') }).filter((path) =>
    /from 'fast-check'|propertyRuns|\/testing\/contract/.test(readFileSync(join(root, path), 'utf8')),
  );
