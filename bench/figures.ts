import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { planeProcess } from '#control/testing/plane-process.ts';
import { checkAlerts } from '#db/hosting/server-alerts/check.ts';
import { rollUpFigures } from '#db/hosting/servers/figures/roll-up.ts';
import { startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';
import { user } from '#db/testing/builders/build.ts';
import { node, server } from '#db/testing/builders/hosting.ts';
import { prepareDatabase } from '#db/testing/prepare-database.ts';
import { compile, compileCache } from '../bin/install.mjs';
import { memory_bounds } from '../bin/processes.ts';
import type { WantedAgents } from './figures/agents.ts';
import { atMost, informational, type Row } from './report.ts';

const node_count = 20;
const servers_each = 50;
const server_count = node_count * servers_each;
/** Minutes measured, and hours of minutes that are rolled up. */
const measured_min = Number(process.env.BENCH_MINUTES ?? 3);
const rolled_h = 12;

/**
 * What a plane and Postgres have to do with 1,000 servers that report every 10 s: CPU of the plane with the jobs on it, and
 * the size of what stays. Five minutes. Adds to `rows`.
 */
export async function measureFigures(rows: Row[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-figures-'));
  const cleanup: Array<() => unknown> = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const postgres = await startPostgres(folder, [], { trust: true });
    cleanup.push(() => postgres.stop());
    const sql = connect({ address: postgres.address, max: 8 });
    cleanup.push(() => sql.end({ timeout: 1 }));
    await prepareDatabase(postgres);
    const env = { NODE_ENV: 'production', NODE_COMPILE_CACHE: compileCache, ...memory_bounds.env };
    await compile({ ...process.env, ...env });
    const plane = await planeProcess({
      database: { address: postgres.address, name: 'cairn' },
      ...{ data: folder, env, args: ['--enable-source-maps'] },
    });
    cleanup.push(() => plane.end('SIGTERM'));
    const wanted: WantedAgents = { url: plane.url, nodes: await makeNodes(sql) };
    const agents = fork(join(import.meta.dirname, 'figures/agents.ts'), [JSON.stringify(wanted)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    cleanup.push(() => agents.kill());
    await once(agents, 'message');
    await setTimeout(20_000); // what follows a start is over
    const used = await cpuWhile(plane.child.pid!, measured_min * 60);
    const jobs = await jobsOn(sql);
    const [stored] = await sql<[{ rows: number; minutes: number }]>`
      select count(*)::int as rows, count(distinct at)::int as minutes from server_minutes`;
    rows.push({
      ...atMost(`plane with ${server_count} servers: share of one core`, used + jobs.share, 5, '%'),
      baseline: `sockets and minutes ${used.toFixed(2)} %, alerts and rolling up ${jobs.share.toFixed(2)} %`,
    });
    rows.push(informational('minutes stored', `${stored.rows} rows of ${stored.minutes} minutes`));
    rows.push(informational('alerts of all servers checked', `${jobs.check_ms.toFixed(0)} ms a minute`));
    const rolled = await rolledUp(sql);
    rows.push(atMost('table after rollup, with index, per server and hour', rolled.bytes, 200, 'bytes'));
    rows.push(informational('an hour of all servers rolled up', `${rolled.ms.toFixed(0)} ms`));
    rows.push(
      informational('minutes, with index, per server and hour', `${rolled.minute_bytes} bytes, for 24 h`),
    );
  } finally {
    for (const undo of cleanup.splice(0).reverse()) await undo();
  }
}

async function makeNodes(sql: Pool): Promise<WantedAgents['nodes']> {
  const now = new Date();
  const owner = await user(sql);
  const nodes: WantedAgents['nodes'] = [];
  for (let number = 0; number < node_count; number++) {
    const { id: node_id, secret } = await node(sql, now);
    const server_ids = await Promise.all(
      Array.from({ length: servers_each }, () => server(sql, owner, { ram_mb: 2_048 })),
    );
    await sql`
      update servers s set lifecycle = 'ready', seen = '{"installed": 1}', power_wanted = 'on', node_id = ${node_id},
        port = 25600 + n.place
      from unnest(${server_ids}::text[]) with ordinality as n (id, place) where s.id = n.id`;
    nodes.push({ node_id, secret, server_ids });
  }
  return nodes;
}

/** CPU of a process over some seconds, in per cent of one core. */
async function cpuWhile(pid: number, seconds: number): Promise<number> {
  const ticks = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  const before = ticks();
  await setTimeout(seconds * 1_000);
  return (ticks() - before) / seconds; // 100 ticks are a second
}

/** CPU that the jobs take in the process that runs them, in per cent of one core. */
async function jobsOn(sql: Pool): Promise<{ share: number; check_ms: number }> {
  const cost = async (work: () => Promise<unknown>, times: number) => {
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    for (let i = 0; i < times; i++) await work();
    const { user: busy, system } = process.cpuUsage(cpu);
    return { cpu_ms: (busy + system) / 1_000 / times, ms: (performance.now() - began) / times };
  };
  await checkAlerts(sql, new Date()); // what begins with it is told once
  const check = await cost(() => checkAlerts(sql, new Date()), 5);
  const roll = await cost(() => rollUpFigures(sql, new Date(Date.now() + 3_600_000)), 1);
  return { share: (check.cpu_ms / 60_000 + roll.cpu_ms / 3_600_000) * 100, check_ms: check.ms };
}

/** Rolls up hours of all servers, and measures what is left of them. */
async function rolledUp(sql: Pool): Promise<{ bytes: number; minute_bytes: number; ms: number }> {
  await sql`truncate server_minutes, server_hours, server_figures_rolled`;
  const until = Math.floor(Date.now() / 3_600_000) * 3_600;
  await sql`
    insert into server_minutes (server_id, at, slot, cpu, cpu_most, ram_mb, disk_mb, received, sent, tick_ms, players, samples)
    select s.id, to_timestamp(m), floor(m / 86400)::int % 3, random() * 200, 200, 1500, 900, 1000, 5000, 12, 3, 6
    from generate_series(${until - rolled_h * 3_600}::int, ${until - 60}::int, 60) as m cross join servers s`;
  const began = performance.now();
  // hour by hour, as it happens: that is what the index looks like
  for (let hour = rolled_h - 1; hour >= 0; hour--)
    await rollUpFigures(sql, new Date((until - hour * 3_600) * 1_000));
  const ms = (performance.now() - began) / rolled_h;
  await sql`vacuum analyze server_hours`;
  const [size] = await sql<[{ hours: number; minutes: number; count: number }]>`
    select pg_total_relation_size('server_hours') as hours, (select count(*) from server_hours) as count,
      (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'server_minutes'::regclass) as minutes`;
  return { bytes: size.hours / size.count, minute_bytes: Math.round(size.minutes / size.count), ms };
}
