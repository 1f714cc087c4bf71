import type { Fragment } from 'postgres';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import type { CountGroup, CountQuery, CountResult, FilterTree } from '../engine.ts';
import { type CountStep, countSteps } from '../query/count-steps.ts';
import { isPair, type Leaf, onRows } from '../query/filter-leaves.ts';
import { fittingRows, onProjects, written } from './filter.ts';
import { matches, timedOut } from './relaxation.ts';
import { bounded, once, timeout_ms } from './statements.ts';
import { nearTokens } from './text-match.ts';

/**
 * How many projects each option of a query has. All statements together take at most the time of one search: what is
 * not counted by then is null, and the result partial.
 */
export async function countOptions(sql: Pool, query: CountQuery): Promise<Omit<CountResult, 'generation'>> {
  const until = performance.now() + timeout_ms;
  const steps = countSteps(query);
  let partial = false;
  let step = steps.next([]);
  while (!step.done) {
    const { reading, groups } = step.value;
    const totals: Array<number[]> = [];
    for (const group of groups) {
      const left_ms = Math.floor(until - performance.now());
      try {
        totals.push(left_ms > 0 ? await bounded(sql, (db) => countGroup(db, reading, group), left_ms) : []);
      } catch (error) {
        if (!timedOut(error)) throw error;
        totals.push([]);
      }
      partial ||= totals.at(-1)?.length !== group.options.length;
    }
    step = steps.next(totals);
  }
  return { counts: step.value, partial };
}

async function countGroup(
  db: Db,
  reading: CountStep['reading'],
  { filter, options }: CountGroup,
): Promise<number[]> {
  const texts = reading?.typos ? reading.tokens.map(({ text }) => text) : [];
  const text = reading ? matches(db, reading, await nearTokens(db, texts)) : db`true`;
  const where = db`${text} and ${onProjects(db, filter)}`;
  const isValue = (tree: FilterTree): tree is Leaf => isPair(tree) && tree.op === '=';
  const values = await countValues(db, where, filter, options.filter(isValue));
  const others = await countConditions(
    db,
    where,
    filter,
    options.filter((tree) => !isValue(tree)),
  );
  return options.map((tree) => (isValue(tree) ? values.get(tree) : others.get(tree)) ?? 0);
}

/** Counts options that test for one value each: in one pass over the values of the matching projects. */
async function countValues(
  db: Db,
  where: Fragment,
  filter: FilterTree | null,
  options: Leaf[],
): Promise<Map<FilterTree, number>> {
  if (options.length === 0) return new Map();
  const fitting = fittingRows(db, filter);
  const ofRows = fitting ? options.filter(onRows) : [];
  const ofProjects = options.filter((option) => !ofRows.includes(option));
  const rows = await once(db<Array<{ level: string; name: string; total: number }>>`
    with matched as materialized (
      select d.keys, d.row_keys, d.masks, ${fitting ?? db`d.whole`} as fit from search_documents d where ${where})
    select 'row' as level, one.name, count(*)::int as total
    from matched m, unnest(m.row_keys, m.masks) as one (name, mask)
    where one.name = any(${ofRows.map(written)}::text[]) and bit_count(one.mask & m.fit) > 0 group by one.name
    union all
    select 'project', one.name, count(*)::int from matched m, unnest(m.keys) as one (name)
    where one.name = any(${ofProjects.map(written)}::text[]) group by one.name`);
  const found = new Map(rows.map(({ level, name, total }) => [`${level} ${name}`, total]));
  const totalOf = (leaf: Leaf) =>
    found.get(`${ofRows.includes(leaf) ? 'row' : 'project'} ${written(leaf)}`) ?? 0;
  return new Map(options.map((leaf) => [leaf, totalOf(leaf)]));
}

/** Counts any options, each by its condition. */
async function countConditions(
  db: Db,
  where: Fragment,
  filter: FilterTree | null,
  options: FilterTree[],
): Promise<Map<FilterTree, number>> {
  if (options.length === 0) return new Map();
  const counted = options.map((tree, i) => {
    const both = filter ? { and: [filter, tree] } : tree;
    return db`${i === 0 ? db`` : db`,`} count(*) filter (where ${onProjects(db, both)})::int`;
  });
  const [row] = await once(db<Array<{ totals: number[] }>>`
    select array[${counted}] as totals from search_documents d where ${where}`);
  return new Map(options.map((tree, i) => [tree, row?.totals[i] ?? 0]));
}
