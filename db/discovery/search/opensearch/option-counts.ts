import type { CountGroup, CountQuery, CountResult } from '../engine.ts';
import { type CountStep, countSteps } from '../query/count-steps.ts';
import { type Clause, onProjects } from './filter.ts';
import type { Names } from './names.ts';
import { searchServer } from './read.ts';
import type { Server } from './server.ts';
import { matching } from './text-query.ts';

/** How many projects each option of a query has: one request per relaxation of the text, for all groups. */
export async function countOptions(
  server: Server,
  names: Names,
  query: CountQuery,
): Promise<CountResult['counts']> {
  const steps = countSteps(query);
  let step = steps.next([]);
  while (!step.done) step = steps.next(await totalsOf(server, names, step.value));
  return step.value;
}

const all = (clauses: Clause[]): Clause => ({ bool: { filter: clauses } });

/** An aggregation with one bucket per option. */
const bucketsOf = ({ filter, options }: CountGroup) => ({
  filter: all(onProjects(filter, false)),
  aggs: {
    options: {
      filters: {
        filters: options.map((tree) => all(onProjects(filter ? { and: [filter, tree] } : tree, false))),
      },
    },
  },
});

async function totalsOf(server: Server, names: Names, { reading, groups }: CountStep): Promise<number[][]> {
  const { aggregations } = await searchServer(server, names, {
    query: all(reading ? [matching(reading)] : []),
    size: 0,
    aggs: Object.fromEntries(groups.map((group, i) => [`group${i}`, bucketsOf(group)])),
  });
  return groups.map((_, i) => {
    const group = aggregations?.[`group${i}`] as unknown as Counted | undefined;
    return group?.options.buckets.map(({ doc_count }) => doc_count) ?? [];
  });
}

interface Counted {
  options: { buckets: Array<{ doc_count: number }> };
}
