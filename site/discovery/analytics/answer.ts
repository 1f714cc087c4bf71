import type { Slices } from './series.ts';

/** What happened to a project within the time of an answer. */
type ProjectEvent = { project_id: string; timestamp: string } & (
  | { kind: 'version_uploaded'; version_id: string; version_name: string; version_number: string }
  | { kind: 'status_changed'; status_from: string; status_to: string }
);

/** The part of the answer of POST /v3/analytics that charts show. Source: api-v3 §3.13. */
export interface AnalyticsAnswer {
  metrics: Slices;
  project_events: ProjectEvent[];
}

/** An announcement for charts, of GET /v3/analytics-event. Source: api-v3 §3.13. */
export interface Announcement {
  id: string;
  title: string;
  announcement_url: string | null;
  for_metric_kind: string[];
  starts: string;
  ends: string | null;
}
