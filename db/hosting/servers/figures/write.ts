import type { Db } from '../../../platform/postgres/sql.ts';
import { minuteSlot } from './rules.ts';

/** What a server used in one minute. */
export interface Minute {
  server_id: string;
  /** The beginning of the minute, in milliseconds since 1970. */
  at: number;
  /** Per cent of one core. */
  cpu: number;
  cpu_most: number;
  ram_mb: number;
  disk_mb: number;
  /** Bytes a second. */
  received: number;
  sent: number;
  tick_ms: number | null;
  players: number | null;
  samples: number;
}

const smallint = (value: number): number => Math.max(0, Math.min(32_767, Math.round(value)));

/**
 * Stores minutes of many servers in one statement. What is there of the same minute counts by its samples, so that a server
 * that moved to another plane meanwhile has both; a batch that is stored again changes no mean.
 */
export async function storeMinutes(db: Db, minutes: readonly Minute[]): Promise<void> {
  if (minutes.length === 0) return;
  const column = <T>(of: (minute: Minute) => T): T[] => minutes.map(of);
  await db`
    insert into server_minutes as m (server_id, at, slot, cpu, cpu_most, ram_mb, disk_mb, received, sent, tick_ms,
      players, samples)
    select * from unnest(
      ${column(({ server_id }) => server_id)}::text[], ${column(({ at }) => new Date(at).toISOString())}::timestamptz[],
      ${column(({ at }) => minuteSlot(at))}::smallint[],
      ${column(({ cpu }) => cpu)}::real[], ${column(({ cpu_most }) => cpu_most)}::real[],
      ${column(({ ram_mb }) => ram_mb)}::real[], ${column(({ disk_mb }) => disk_mb)}::real[],
      ${column(({ received }) => received)}::real[], ${column(({ sent }) => sent)}::real[],
      ${column(({ tick_ms }) => tick_ms)}::real[],
      ${column(({ players }) => players && smallint(players))}::smallint[],
      ${column(({ samples }) => smallint(samples))}::smallint[])
    on conflict (server_id, at, slot) do update set
      cpu = (m.cpu * m.samples + excluded.cpu * excluded.samples) / (m.samples + excluded.samples),
      cpu_most = greatest(m.cpu_most, excluded.cpu_most),
      ram_mb = (m.ram_mb * m.samples + excluded.ram_mb * excluded.samples) / (m.samples + excluded.samples),
      disk_mb = excluded.disk_mb,
      received = (m.received * m.samples + excluded.received * excluded.samples) / (m.samples + excluded.samples),
      sent = (m.sent * m.samples + excluded.sent * excluded.samples) / (m.samples + excluded.samples),
      tick_ms = coalesce(excluded.tick_ms, m.tick_ms),
      players = greatest(m.players, excluded.players),
      samples = least(m.samples + excluded.samples, 1000)`;
}
