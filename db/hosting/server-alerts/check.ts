import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { offlineCutoff } from '../nodes/read.ts';
import { minuteSlot } from '../servers/figures/rules.ts';
import {
  type AlertKind,
  alertKinds,
  defaultRules,
  ends_below,
  history_days,
  schedule_alert_hours,
} from './rules.ts';
import { beginAlert, endAlert } from './tell.ts';

const minute_ms = 60_000;
const hour_ms = 3_600_000;
/** Alerts that one run begins or ends; the next one takes the rest. */
const max_changes = 2_000;

interface Change {
  server_id: string;
  kind: AlertKind;
  value: number | null;
  bound: number | null;
  /** It goes on, and is over. */
  ends: boolean;
  /** Its rule was turned off: nobody knows that it is well. */
  silent: boolean;
}

/**
 * The alerts that begin or end by what is stored: what servers used in the last minutes, and how they are. One minute in
 * five may be missing. A server that is off uses nothing; one whose node is away is not known, and its alerts stay.
 */
const changesAt = (db: Db, now: Date): Promise<Change[]> => {
  const until = Math.floor(now.getTime() / minute_ms) * minute_ms;
  const slots = [minuteSlot(until - hour_ms), minuteSlot(until)];
  const column = <T>(of: (kind: AlertKind) => T): T[] => alertKinds.map(of);
  return db<Change[]>`
    with rule as (
      select s.id as server_id, k.kind, s.power, s.power_wanted, s.lifecycle, s.cpu_millis, s.ram_mb, s.disk_mb, s.node_id, s.seen,
        coalesce((c.rules -> k.kind ->> 'enabled')::boolean, k.enabled) as enabled,
        coalesce((c.rules -> k.kind ->> 'over')::real, k.over) as over,
        coalesce((c.rules -> k.kind ->> 'minutes')::int, k.minutes) as minutes,
        exists (select from server_alerts a where a.server_id = s.id and a.kind = k.kind and a.ended is null) as goes_on
      from servers s
      cross join unnest(${column((kind) => kind)}::text[], ${column((kind) => String(defaultRules[kind].enabled))}::text[]::boolean[],
        ${column((kind) => defaultRules[kind].over)}::real[], ${column((kind) => defaultRules[kind].minutes)}::int[])
        as k (kind, enabled, over, minutes)
      left join server_alert_settings c on c.server_id = s.id
      where s.lifecycle in ('ready', 'broken', 'upgrading', 'suspended')
    ),
    measured as (
      select r.*, m.count, m.least, m.most from rule r cross join lateral (
        select count(v) as count, min(v) as least, max(v) as most from (
          select case r.kind when 'cpu' then cpu * 1000 / r.cpu_millis when 'memory' then ram_mb * 100 / r.ram_mb
            when 'disk' then disk_mb * 100 / r.disk_mb else tick_ms end as v
          from server_minutes
          where server_id = r.server_id and slot = any(${slots}::smallint[]) and at < ${new Date(until)}
            and at >= ${new Date(until)}::timestamptz - r.minutes * interval '1 minute') f) m
      where r.over is not null
    ),
    state as (
      select server_id, kind, least as value, over as bound, enabled, goes_on,
        count >= minutes - minutes / 5 and least > over as fires,
        count >= minutes - minutes / 5 and most <= over * ${ends_below}
          or kind <> 'disk' and count = 0 and power in ('stopped', 'crashed') as ends,
        most as ending
      from measured
      union all
      select server_id, kind, null, null, enabled, goes_on,
        power = 'crashed' and seen -> 'crash' ->> 'held' = 'true',
        power = 'running' or power = 'stopped' and power_wanted = 'off', null
      from rule where kind = 'crash_loop'
      union all
      select r.server_id, r.kind, null, null, r.enabled, r.goes_on,
        r.lifecycle = 'ready' and r.power_wanted = 'on' and n.status <> 'new'
          and n.last_seen < ${now}::timestamptz - r.minutes * interval '1 minute',
        n.last_seen >= ${offlineCutoff(now)} and n.status in ('online', 'degraded'), null
      from rule r join nodes n on n.id = r.node_id where r.kind = 'node_down'
      union all
      select server_id, kind, null, null, enabled, goes_on, false, false, null
      from rule where kind in ('backup_failed', 'schedule_failed')
    )
    select server_id, kind, goes_on as ends, not enabled as silent, bound,
      case when goes_on then ending else value end as value
    from state
    where case when goes_on then ends or not enabled else fires and enabled end
    order by server_id, kind limit ${max_changes}`;
};

/**
 * Begins and ends alerts by what is stored; those of backups and schedules begin with their events. Running twice tells
 * nobody twice. Gives how many began and ended.
 */
export async function checkAlerts(sql: Pool, now: Date): Promise<{ began: number; ended: number }> {
  const counts = { began: 0, ended: 0 };
  for (const { ends, silent, ...change } of await changesAt(sql, now)) {
    const is_new = await sql.begin((tx) =>
      ends ? endAlert(tx, change, now, { silent }) : beginAlert(tx, change, now),
    );
    if (is_new) counts[ends ? 'ended' : 'began'] += 1;
  }
  const { count } = await sql`
    update server_alerts set ended = ${now}
    where kind = 'schedule_failed' and ended is null
      and began < ${new Date(now.getTime() - schedule_alert_hours * hour_ms)}`;
  counts.ended += count;
  return counts;
}

/** Deletes ended alerts that are older than they are kept. Gives how many. */
export const removeOldAlerts = async (db: Db, now: Date): Promise<number> =>
  (await db`delete from server_alerts where ended < ${new Date(now.getTime() - history_days * 24 * hour_ms)}`)
    .count;
