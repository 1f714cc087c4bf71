import { type FollowedUpdate, followedUpdates } from '#db/catalogue/follows/updates.ts';
import { type MemberProject, projectsOfMember } from '#db/catalogue/projects/of-member.ts';
import type { Status } from '#db/catalogue/projects/rules.ts';
import { readSeries } from '#db/discovery/analytics/read.ts';
import { serversFor } from '#db/hosting/servers/read.ts';
import { plusOf } from '#db/money/billing/plus/read.ts';
import { subscriptionsOf } from '#db/money/billing/read.ts';
import { balanceOf } from '#db/money/billing/revenue/balance.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { keptBy } from '../../discovery/analytics/series-routes.server.ts';

/** Days of the figures; as many before them are compared. */
const days = 30;
const day_ms = 86_400_000;
const shown_updates = 5;
/** Statuses in which a project waits for its creators or for a review. */
const waiting: readonly Status[] = ['draft', 'processing', 'rejected', 'withheld'];

/** What a count was in the last 30 whole days in UTC, day by day, and in the 30 before. */
export interface Trend {
  amounts: number[];
  sum: number;
  before: number;
}

/** What a creator, a player and a renter each find on the overview of the dashboard. */
export interface Overview {
  projects: MemberProject[];
  /** Drafts and projects under review, rejected or withheld, the last changed first. */
  waiting: MemberProject[];
  /** Of the projects whose analytics the actor may see; null without one. */
  downloads: Trend | null;
  views: Trend | null;
  /** What can be withdrawn and what is earned and not released, in cents of a dollar. */
  revenue: { available_minor: number; pending_micros: number };
  updates: FollowedUpdate[];
  servers: Awaited<ReturnType<typeof serversFor>>['servers'];
  subscriptions: Awaited<ReturnType<typeof subscriptionsOf>>;
  plus: Awaited<ReturnType<typeof plusOf>>;
}

/** Loads what the overview shows. */
export async function loadOverview({ services, now }: App.Locals, actor: Actor): Promise<Overview> {
  const { sql } = services;
  const [projects, revenue, updates, { servers }, subscriptions, plus] = await Promise.all([
    projectsOfMember(services, actor),
    balanceOf(sql, actor.user_id, now),
    followedUpdates(services, actor.user_id, shown_updates),
    serversFor(sql, actor, now),
    subscriptionsOf(sql, actor),
    plusOf(sql, actor.user_id),
  ]);
  const counted = projects.filter((project) => project.counted).map(({ id }) => id);
  const trend = async (kind: 'download' | 'view'): Promise<Trend | null> => {
    if (counted.length === 0) return null;
    const until = new Date(now.getTime() - (now.getTime() % day_ms));
    const from = new Date(until.getTime() - 2 * days * day_ms);
    const query = { kind, project_ids: counted, from, until, slice_ms: day_ms };
    return trendOf(await readSeries(sql, query, now, keptBy(services.settings)));
  };
  const [downloads, views] = await Promise.all([trend('download'), trend('view')]);
  return {
    ...{ projects, downloads, views, revenue, updates, servers, subscriptions, plus },
    waiting: projects.filter(({ status }) => waiting.includes(status)),
  };
}

/** The days of a series of 60, of which the last 30 are shown and the first only summed. */
export function trendOf(rows: ReadonlyArray<{ slice: number; amount: number }>): Trend {
  const all = Array.from({ length: 2 * days }, () => 0);
  for (const { slice, amount } of rows) if (slice in all) all[slice] = Number(amount);
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  const amounts = all.slice(days);
  return { amounts, sum: sumOf(amounts), before: sumOf(all.slice(0, days)) };
}
