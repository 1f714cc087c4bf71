import type { Messages } from '#content/messages.ts';
import { notificationNames } from '#db/accounts/notifications/names.ts';
import {
  type NotificationFilter,
  notificationCounts,
  notificationGroups,
} from '#db/messages/notifications/read.ts';
import { isSiteType, type SiteType, siteTypes } from '#db/messages/notifications/rules.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { type NotificationLine, notificationLine } from './notification-line.ts';

/** Groups on one page of the list. Source: screens §A.6. */
const notifications_per_page = 50;

/** Groups of notifications as lines, and how many groups there are in all. */
export async function loadLines(
  { services, messages }: { services: ReadContext; messages: Messages },
  actor: Actor,
  wanted: NotificationFilter & { limit: number; offset?: number },
): Promise<{ total: number; lines: NotificationLine[] }> {
  const { total, groups } = await notificationGroups(services.sql, actor.user_id, wanted);
  const all = groups.flatMap(({ notifications }) => notifications);
  const names = await notificationNames(services, all, actor);
  return { total, lines: groups.map((group) => notificationLine(messages, group, names)) };
}

/** A page of the list of notifications. */
export interface NotificationPage {
  lines: NotificationLine[];
  /** The chosen type; null for all. */
  type: SiteType | null;
  /** The types that there are, in display order, with their numbers. */
  types: Array<{ type: SiteType; count: number }>;
  page: number;
  pages: number;
  /** How many are unread, of every type. */
  unread: number;
}

/** The requested page of the unread notifications, or of those that were read. A page past the end is the last one. */
export async function loadNotifications(
  { services, messages }: { services: ReadContext; messages: Messages },
  actor: Actor,
  { query, read }: { query: URLSearchParams; read: boolean },
): Promise<NotificationPage> {
  const asked = query.get('type');
  const type = isSiteType(asked) ? asked : null;
  const limit = notifications_per_page;
  const wanted = Math.min(Math.max(Number.parseInt(query.get('page') ?? '1', 10) || 1, 1), 1000);
  const load = (page: number) =>
    loadLines({ services, messages }, actor, { read, type, limit, offset: (page - 1) * limit });
  const [unreadCounts, counts, first] = await Promise.all([
    notificationCounts(services.sql, actor.user_id, { read: false }),
    read ? notificationCounts(services.sql, actor.user_id, { read }) : null,
    load(wanted),
  ]);
  // an empty page past the end does not know how many there are
  const start = first.lines.length === 0 && wanted > 1 ? await load(1) : first;
  const pages = Math.max(1, Math.ceil(start.total / limit));
  const page = Math.min(wanted, pages);
  const { lines } = page === wanted ? first : await load(page);
  const shown = counts ?? unreadCounts;
  return {
    lines,
    type,
    types: siteTypes.flatMap((one) => (shown.has(one) ? [{ type: one, count: shown.get(one)! }] : [])),
    page,
    pages,
    unread: [...unreadCounts.values()].reduce((sum, count) => sum + count, 0),
  };
}
