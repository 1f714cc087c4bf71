import type { AnalyticsAnswer, Announcement } from './answer.ts';
import type { Metric } from './choice.ts';
import type { Period } from './ranges.ts';

/** Something on the time axis of a chart. */
export type Mark = { at: number } & (
  | { kind: 'version'; project: string; id: string; number: string }
  | { kind: 'status'; project: string; from: string; to: string }
  | { kind: 'announcement'; title: string; url: string | null }
);

/** Only addresses of the web: announcements come from people. */
const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

/** What happened within a period: releases, status changes and the announcements for a metric, the latest first. */
export function marksOf(
  events: AnalyticsAnswer['project_events'],
  announcements: readonly Announcement[],
  metric: Metric,
  { start, end }: Period,
): Mark[] {
  const marks: Mark[] = events.map((event) => {
    const common = { at: Date.parse(event.timestamp), project: event.project_id };
    return event.kind === 'version_uploaded'
      ? { ...common, kind: 'version', id: event.version_id, number: event.version_number }
      : { ...common, kind: 'status', from: event.status_from, to: event.status_to };
  });
  for (const { title, announcement_url, for_metric_kind, starts, ends } of announcements) {
    if (!for_metric_kind.includes(metric)) continue;
    const from = Date.parse(starts);
    if (from >= end || (ends === null ? from : Date.parse(ends)) < start) continue;
    const url = isWeb(announcement_url) ? announcement_url : null;
    marks.push({ at: Math.max(from, start), kind: 'announcement', title, url });
  }
  return marks.filter(({ at }) => at >= start && at <= end).sort((one, other) => other.at - one.at);
}
