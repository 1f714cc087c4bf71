import { readFileSync } from 'node:fs';
import type { Status } from '../catalogue/collections/rules.ts';
import type { Db } from '../platform/postgres/sql.ts';
import { tint } from './art/palettes.ts';
import { demoId } from './ids.ts';
import type { PlannedProject } from './plan.ts';
import { insert } from './rows.ts';

/** A hand-written collection. */
export interface ListedCollection {
  id: string;
  name: string;
  owner: string;
  status: Status;
  description: string | null;
  days_ago: number;
  /** Slugs of projects in order; `category:NAME` means all public ones of it. */
  slugs: string[];
}

/** `Name | owner | status | days since creation | slugs`, and an optional description. */
function listed(block: string): ListedCollection {
  const [head = '', description = ''] = block.split('\n');
  const [name, owner, status, days, slugs] = head.split(' | ');
  if (!name || !owner || !status || !slugs) throw new Error(`Not a collection: ${block}`);
  return {
    ...{ id: demoId(`collection ${owner} ${name}`), name, owner, status: status as Status },
    description: description || null,
    days_ago: Number(days),
    slugs: slugs.split(' '),
  };
}

export const collections: ListedCollection[] = readFileSync(
  new URL('./data/collections.txt', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n\n')
  .map(listed);

/** The projects of a collection in order, without duplicates. Throws for an unknown slug. */
export function projectsIn(
  { name, slugs }: ListedCollection,
  plans: readonly PlannedProject[],
): PlannedProject[] {
  const members = slugs.flatMap((slug) => {
    const [, category] = slug.split('category:');
    const found = category
      ? plans.filter(({ status, categories }) => status === 'approved' && categories.includes(category))
      : plans.filter((plan) => plan.slug === slug);
    if (found.length === 0) throw new Error(`${name} contains the unknown slug ${slug}`);
    return found;
  });
  return [...new Set(members)];
}

const day = 86_400_000;

/** Collections with their projects, coloured by their first project. */
export async function insertCollections(tx: Db, plans: PlannedProject[], at: number): Promise<void> {
  const members = collections.map((one) => projectsIn(one, plans));
  await insert(
    tx,
    'collections',
    collections.map(({ id, name, owner, status, description, days_ago }, index) => ({
      ...{ id, name, status, description, user_id: demoId(`user ${owner}`) },
      color: tint(members[index]![0]!.palette),
      created: new Date(at - days_ago * day),
      updated: new Date(at - (days_ago / 3) * day),
    })),
  );
  await insert(
    tx,
    'collection_projects',
    collections.flatMap(({ id }, index) =>
      members[index]!.map((plan, order) => ({ collection_id: id, project_id: plan.id, place: order + 1 })),
    ),
  );
}
