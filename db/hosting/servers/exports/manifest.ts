import type { Db } from '../../../platform/postgres/sql.ts';
import { retentionOf } from '../backups/read.ts';
import type { ServerRecord } from '../read.ts';
import { max_members } from '../rights/rules.ts';
import { scheduleRows } from '../schedules/rows.ts';

/** The file of an export that says what is known of its server. Later versions may add fields. */
export const manifest_name = 'cairn-server.json';
const manifest_version = 1;

interface Options {
  java: number | null;
  heap_mb: number | null;
  jvm_flags: string[];
  sleep_after_minutes: number | null;
  sleep_motd: string;
  owner: string;
}

/**
 * What the platform knows of a server beside its files, for whoever takes it away: no secrets, of people only their user
 * names, and nothing of what a browser stores. Addresses of webhooks are secrets.
 */
export async function manifestOf(
  db: Db,
  { view }: Pick<ServerRecord, 'view'>,
  now: Date,
): Promise<Record<string, unknown>> {
  const { id, name, kind, game_version, loader, loader_version, plan, region, created } = view;
  const { ram_mb, cpu_millis, disk_mb, address, subdomain, domain } = view;
  const [options] = await db<Options[]>`
    select s.java, s.heap_mb, s.jvm_flags, s.sleep_after_minutes, s.sleep_motd, u.username as owner
    from servers s join users u on u.id = s.owner_id where s.id = ${id}`;
  const { java, heap_mb, jvm_flags, sleep_after_minutes, sleep_motd, owner } = options!;
  const ports = await db<{ port: number; name: string }[]>`
    select port, name from server_ports
    where server_id = ${id} and name is not null and removed_generation is null order by port`;
  const people = await db<{ username: string; role: string; rights: string[] }[]>`
    select u.username, m.role, m.rights from server_members m join users u on u.id = m.user_id
    where m.server_id = ${id} and m.accepted is not null order by lower(u.username) limit ${max_members}`;
  const schedules = (await scheduleRows(db, id)).map(
    ({ name, cron, timezone, enabled, only_when_empty, only_when_running, on_failure, steps }) => ({
      ...{ name, cron, timezone, enabled, only_when_empty, only_when_running, on_failure, steps },
    }),
  );
  const [alerts] = await db<{ rules: object; quiet: object | null }[]>`
    select rules, case when quiet_zone is not null then
      json_build_object('from', quiet_from, 'until', quiet_until, 'zone', quiet_zone) end as quiet
    from server_alert_settings where server_id = ${id}`;
  return {
    ...{ format: 'cairn-server', version: manifest_version, made: now.toISOString() },
    server: {
      ...{ id, name, kind, game_version, loader, loader_version, plan, region, created },
      ...{ ram_mb, cpu_millis, disk_mb },
    },
    network: { address, subdomain, domain, ports },
    startup: { java, heap_mb, jvm_flags },
    sleep: { after_minutes: sleep_after_minutes, motd: sleep_motd },
    schedules,
    backups: await retentionOf(db, id),
    // what was chosen: everything else is as usual
    alerts: alerts ? { ...alerts } : { rules: {}, quiet: null },
    people: [{ username: owner, role: 'owner' }, ...people],
  };
}
