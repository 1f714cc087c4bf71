import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import type { Target } from '#db/discovery/search/testing/evaluation/target.ts';
import { evaluate, floors, floorTop5, type Judged } from '#db/discovery/search/testing/evaluation.ts';
import { atLeast, atMost, informational, type Row, ratioAtMost } from '../report.ts';
import type { Catalogue } from './catalogue.ts';
import { childrenOf } from './cpu.ts';
import { openEngine } from './embedded.ts';
import { measureLoad } from './load.ts';
import { type Asker, ask, type Run } from './mixed-run.ts';
import { type BenchQuery, queryMix } from './query-mix.ts';
import { inWords, short, timesOf } from './timing.ts';

const questions = 10_000;

/** Postgres and embedded engine on the same catalogue: the same queries in sequence, and under load. */
export async function measureEngines(rows: Row[], catalogue: Catalogue, seed: string): Promise<void> {
  const { sql } = catalogue;
  const targets = await sql<Target[]>`
    select p.id as project_id, p.title, u.username as author, p.downloads, p.description as summary,
      p.categories || p.additional_categories || p.project_types as tags
    from projects p join team_members m on m.team_id = p.team and m.is_owner join users u on u.id = m.user_id
    where p.status = 'approved' order by p.id`;
  const list = queryMix(targets, questions, seed);

  const slow = postgresEngine(sql);
  const backends = () => childrenOf(catalogue.pid);
  const postgres = await ask(slow, list, { warm: 150, seconds: 90, pids: backends });
  tell('postgres', postgres, await judgedBy(slow, targets, seed, 60));

  const opened = await openEngine(catalogue);
  try {
    const embedded = await ask(opened.engine, list, { warm: 3_000, seconds: 120 });
    const counting = await ask(opened.engine, list, { warm: 500, seconds: 120, withCounts: true });
    const judged = await judgedBy(opened.engine, targets, seed, 300);
    tell('embedded', embedded, judged);
    tell('embedded, with counts of options', counting, []);
    rows.push(
      informational(
        'search: index of Postgres',
        catalogue.index_s ? `${short(catalogue.index_s)} s` : 'lay there',
      ),
      ...opened.rows,
      ...compared(embedded, postgres, list),
      ...besideCounts(counting, embedded),
      ...right(judged),
    );
    await measureLoad(rows, catalogue, opened, list, targets);
  } finally {
    await opened.close();
  }
}

const judgedBy = (engine: Asker, targets: Target[], seed: string, each: number): Promise<Judged[]> =>
  evaluate(engine, targets, { seed, each });

function tell(name: string, { all, byKind, cpu_ms, partial }: Run, judged: Judged[]): void {
  console.log(`${name}: ${all.questions} queries, cpu ${short(cpu_ms)} ms each, ${partial} truncated`);
  const lines = { ...byKind, all };
  console.table(
    Object.fromEntries(
      Object.entries(lines).map(([kind, times]) => [
        kind,
        Object.fromEntries(Object.entries(times).map(([what, value]) => [what, short(value)])),
      ]),
    ),
  );
  if (judged.length === 0) return;
  console.table(
    Object.fromEntries(judged.map(({ kind, queries, top1, top5 }) => [kind, { queries, top1, top5 }])),
  );
}

/** Ratios over the queries that both answered. */
function compared(embedded: Run, postgres: Run, list: readonly BenchQuery[]): Row[] {
  const both = Math.min(embedded.taken.length, postgres.taken.length);
  const [ours, theirs] = [embedded, postgres].map(({ taken }) => timesOf(taken.slice(0, both)));
  if (!ours || !theirs) return [];
  const row = (at: 'p50' | 'p99') => ({
    name: `search: ${at} to Postgres`,
    ratio: ours[at] / theirs[at],
    ours: `${short(ours[at])} ms`,
    baseline: `${short(theirs[at])} ms`,
  });
  return [
    ratioAtMost(0.15, row('p50')),
    ratioAtMost(0.1, row('p99')),
    atMost('search: p99', embedded.all.p99, 10, 'ms'),
    informational(
      `search: ${list.length} questions`,
      `${inWords(embedded.all)}, cpu ${short(embedded.cpu_ms)} ms`,
      `${inWords(postgres.all)}, cpu ${short(postgres.cpu_ms)} ms`,
    ),
  ];
}

/** What counting options costs the searches of the same pages. */
const besideCounts = (counting: Run, alone: Run): Row[] => [
  ratioAtMost(1.3, {
    name: 'search: p99 beside counts of options, to without',
    ratio: counting.all.p99 / alone.all.p99,
    ours: inWords(counting.all),
    baseline: inWords(alone.all),
  }),
  informational(
    'search: counts of options',
    `${inWords(counting.counts)}, ${counting.counts.questions} pages`,
  ),
];

const right = (judged: Judged[]): Row[] => [
  ...judged.map(({ kind, top1 }) => atLeast(`search: first, ${kind}`, top1, floors[kind] ?? 0, '%')),
  ...judged
    .filter(({ kind }) => kind === 'all')
    .map(({ top5 }) => atLeast('search: among five', top5, floorTop5, '%')),
];
