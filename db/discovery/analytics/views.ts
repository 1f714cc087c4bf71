import type { Db } from '../../platform/postgres/sql.ts';
import { earningProjects } from './earning-projects.ts';
import { countInWindows } from './networks.ts';
import { insertRecords } from './records.ts';
import { monetisedViews, projectOfPage, siteSection } from './rules.ts';

/** One view of a page. */
export interface View {
  at: Date;
  /** The site that showed it, such as `cairn.example`. */
  domain: string;
  /** Path of the page; its query is not kept. */
  path: string;
  /** An IPv4 address, or the /64 of an IPv6 one. */
  network: string;
  /** ISO 3166 of where the network is; XX or left out if not known. */
  country?: string;
}

/**
 * Stores views, tied to the projects whose pages they are. Views of one network and project earn money at most three times
 * within six hours, if the project may. Source: api-v2 §14; api-behaviours §10.
 */
export async function addViews(tx: Db, views: readonly View[], now: Date): Promise<void> {
  const ids = await projectIds(
    tx,
    views.flatMap(({ path }) => projectOfPage(path) ?? []),
  );
  const viewed = views.map((view) => ({
    ...view,
    project_id: ids.get((projectOfPage(view.path) ?? '').toLowerCase()) ?? '',
  }));
  const may = await earningProjects(tx, [...ids.values()]);
  const monetized = await earning(
    tx,
    viewed.filter(({ project_id }) => may.has(project_id)),
    now,
  );
  await insertRecords(
    tx,
    viewed.map((view) => ({
      ...{ kind: 'view', at: view.at, project_id: view.project_id, domain: view.domain },
      ...(view.country && { country: view.country }),
      site_path: siteSection(view.path),
      monetized: monetized.has(view),
    })),
  );
}

/** By id and by slug in lower case. */
async function projectIds(tx: Db, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const lower = [...new Set(names.map((name) => name.toLowerCase()))];
  const rows = await tx<Array<{ id: string; slug: string | null }>>`
    select id, slug from projects where id = any(${[...new Set(names)]}) or slug = any(${lower})`;
  return new Map([
    ...rows.map(({ id }) => [id.toLowerCase(), id] as const),
    ...rows.flatMap(({ id, slug }) => (slug ? [[slug.toLowerCase(), id] as const] : [])),
  ]);
}

type Viewed = View & { project_id: string };

/** The views that earn money: several of one network and project are counted one after the other. */
async function earning(tx: Db, views: readonly Viewed[], now: Date): Promise<Set<Viewed>> {
  const rounds: Viewed[][] = [];
  const seen = new Map<string, number>();
  for (const view of views) {
    const key = `${view.project_id} ${view.network}`;
    const round = seen.get(key) ?? 0;
    seen.set(key, round + 1);
    if (round >= monetisedViews) continue;
    rounds[round] ??= [];
    rounds[round].push(view);
  }
  const earns = new Set<Viewed>();
  const rules = { purpose: 'view', most: monetisedViews, renews: false } as const;
  for (const round of rounds) for (const view of await countInWindows(tx, round, rules, now)) earns.add(view);
  return earns;
}
