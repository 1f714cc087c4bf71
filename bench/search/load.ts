import type { Target } from '#db/discovery/search/testing/evaluation/target.ts';
import { openLoop } from '../open-loop.ts';
import { atMost, informational, type Row, ratioAtMost } from '../report.ts';
import type { Catalogue } from './catalogue.ts';
import { edit, keepChanging } from './changes.ts';
import { type Opened, until } from './embedded.ts';
import type { BenchQuery } from './query-mix.ts';
import { inWords, short } from './timing.ts';

const per_second = 200;
const changes = 20;
const edits = 10;

/** Latency of changes, and 200 queries per second: quiet, and with changes and a rebuild. */
export async function measureLoad(
  rows: Row[],
  { sql }: Catalogue,
  { engine, rebuild }: Opened,
  list: readonly BenchQuery[],
  targets: readonly Target[],
): Promise<void> {
  const ids = targets.map(({ project_id }) => project_id);
  rows.push(atMost('search: a change is seen, slowest', await slowestEdit(), 2, 's'));

  const quiet = await openLoop(({ query }) => engine.search(query), list, { per_second, least_s: 20 });
  const changing = keepChanging(sql, ids, changes);
  let rebuilt = false;
  const rebuilding = rebuild().finally(() => {
    rebuilt = true;
  });
  const busy = await openLoop(({ query }) => engine.search(query), list, {
    per_second,
    least_s: 20,
    goOn: () => !rebuilt,
  });
  await rebuilding;
  const made = await changing.stop();
  rows.push(
    ratioAtMost(3, {
      name: `search: p99 at ${per_second}/s, changes and rebuild to quiet`,
      ratio: busy.p99 / quiet.p99,
      ours: inWords(busy),
      baseline: inWords(quiet),
    }),
    atMost('search: refused or failed meanwhile', busy.failed + quiet.failed, 0, 'questions'),
    informational('search: meanwhile', `${busy.questions} questions, ${made} changes`),
  );

  async function slowestEdit(): Promise<number> {
    let slowest = 0;
    for (let n = 0; n < edits; n++) {
      const word = `zqx${n}${Date.now().toString(36)}`;
      const began = performance.now();
      await edit(sql, ids[n * 31] as string, word);
      const asked = { text: word, filter: null, sort: 'relevance', offset: 0, limit: 1 } as const;
      await until(async () => (await engine.search(asked)).total > 0, 60);
      slowest = Math.max(slowest, (performance.now() - began) / 1000);
    }
    return short(slowest);
  }
}
