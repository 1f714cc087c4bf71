import type { Db } from '../../platform/postgres/sql.ts';
import { type Dimension, type Kind, unknownCountry } from './rules.ts';

/** One thing that was counted: a view, a download, or seconds of playtime. What is left out is not known. */
export interface AnalyticsRecord extends Partial<Record<Exclude<Dimension, 'monetized'>, string>> {
  kind: Kind;
  at: Date;
  /** 1, or the seconds of playtime. */
  amount?: number;
  /** Empty for views of pages that belong to no project. */
  project_id: string;
  monetized?: boolean;
}

const hour_ms = 3_600_000;
const startOfHour = (at: Date): number => Math.floor(at.getTime() / hour_ms) * hour_ms;

/**
 * Stores records and marks their hours as changed, in three statements for any number. Partitions of their days are made if
 * they lack: usually the roll-up made them ahead.
 */
export async function insertRecords(tx: Db, records: readonly AnalyticsRecord[]): Promise<void> {
  if (records.length === 0) return;
  const hours = [...new Set(records.map(({ at }) => startOfHour(at)))].sort((one, other) => one - other);
  await tx`select analytics_partitions('analytics_records', ${day(hours[0]!)}::date, ${day(hours.at(-1)!)}::date)`;
  const texts = (of: (record: AnalyticsRecord) => string | undefined, unknown = '') =>
    records.map((record) => of(record) ?? unknown);
  await tx`
    insert into analytics_records (at, amount, kind, project_id, version_id, country, loader, game_version, source, reason,
      dependent_id, domain, site_path, monetized)
    select * from unnest(
      ${records.map(({ at }) => at.toISOString())}::timestamptz[], ${records.map(({ amount = 1 }) => amount)}::int[],
      ${texts(({ kind }) => kind)}::text[], ${texts(({ project_id }) => project_id)}::text[],
      ${texts(({ version_id }) => version_id)}::text[], ${texts(({ country }) => country, unknownCountry)}::text[],
      ${texts(({ loader }) => loader)}::text[], ${texts(({ game_version }) => game_version)}::text[],
      ${texts(({ source }) => source)}::text[], ${texts(({ reason }) => reason)}::text[],
      ${texts(({ dependent_id }) => dependent_id)}::text[], ${texts(({ domain }) => domain)}::text[],
      ${texts(({ site_path }) => site_path)}::text[],
      ${records.map(({ monetized = false }) => String(monetized))}::text[]::boolean[])`;
  // last: who reads the sums up waits for this row, and with it for the records above
  await tx`
    insert into analytics_changed (hour) select unnest(${hours.map((ms) => new Date(ms).toISOString())}::timestamptz[])
    on conflict (hour) do update set changes = analytics_changed.changes + 1`;
}

/** The day in UTC of a moment, such as `2026-11-27`. */
export const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
