import { type Dimension, type Kind, unknownCountry } from './rules.ts';

/** What is counted, as the API names it: its kind, by which fields it can be told apart, and how its sum is called. */
export interface Metric {
  kind: Kind;
  /** The field with the sum. */
  value: 'views' | 'downloads' | 'seconds';
  /** Fields of `bucket_by` and `filter_by`. */
  fields: readonly string[];
  /** Those whose values are listed as facets. */
  facets: readonly string[];
  /** Sums of a country below this say too much about a single person. */
  small: number;
}

const views = ['domain', 'site_path', 'monetized', 'country'] as const;
const downloads = [
  'domain',
  'user_agent',
  'version_id',
  'monetized',
  'country',
  'reason',
  'game_version',
  'loader',
] as const;
const playtime = ['version_id', 'loader', 'game_version', 'country'] as const;

/** Source: api-v3 §3.13. */
export const metrics = {
  project_views: { kind: 'view', value: 'views', fields: ['project_id', ...views], facets: views, small: 50 },
  project_downloads: {
    kind: 'download',
    value: 'downloads',
    fields: ['project_id', 'dependent_project_id', ...downloads],
    facets: downloads,
    small: 50,
  },
  project_playtime: {
    kind: 'playtime',
    value: 'seconds',
    fields: ['project_id', ...playtime],
    facets: playtime,
    small: 4 * 3600,
  },
} as const satisfies Record<string, Metric>;
export type MetricName = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as MetricName[];

/** Fields that have another name than their column. */
const columns: Record<string, Dimension> = { user_agent: 'source', dependent_project_id: 'dependent_id' };
/** The column of a field of the API. */
export const columnOf = (field: string): Dimension | 'project_id' =>
  columns[field] ?? (field as Dimension | 'project_id');

/** Sources that the API names otherwise, so that programs written for it know them. */
const sources: Record<string, string> = {
  app: 'modrinth_app',
  hosting: 'modrinth_hosting',
  maven: 'modrinth_maven',
  '': 'other',
};

/** A stored value as the API shows it; null for what is not known. */
export function shownValue(field: string, stored: string): string | boolean | null {
  if (field === 'monetized') return stored === 'true';
  if (field === 'user_agent') return sources[stored] ?? stored;
  return stored === '' ? null : stored;
}

/** The stored values that the API shows as `shown`. */
export function storedValues(field: string, shown: string | boolean | null): string[] {
  if (field === 'country') return [shown === null ? unknownCountry : String(shown)];
  if (field !== 'user_agent') return [shown === null ? '' : String(shown)];
  const renamed = Object.keys(sources).filter((stored) => sources[stored] === shown);
  return shown === 'other' || renamed.length === 0 ? [...renamed, String(shown)] : renamed;
}
