import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { AppContext } from '#db/context.ts';
import { health } from '#db/health.ts';
import { nodeViews } from '#db/hosting/nodes/read.ts';
import { mailMode } from '#db/messages/mail/queue.ts';
import { migrations } from '#db/migrations/migrate.ts';
import { postgresVersion } from '#db/platform/postgres/postgres-version.ts';
import { connectedRoles } from '#db/platform/postgres/roles/sessions.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { reserveBytes } from '#db/platform/storage/reserve.ts';
import type { Space } from '#db/platform/storage/storage.ts';
import { installed, root } from '../install.mjs';
import { siteAddress } from '../processes.ts';
import { probe } from '../readiness.ts';
import { type Diagnosis, diagnosis } from './diagnosis.ts';
import { diskLimits } from './doctor-disks.ts';
import { planeFindings } from './doctor-planes.ts';
import { print } from './print.ts';
import { siteStatus } from './search.ts';
import { searchFindings } from './search-findings.ts';
import { withContext } from './with-context.ts';

/** `doctor`: checks everything an installation needs and says how to fix problems; then the exit code is 1. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'Checks versions, disk, database, storage, search, control planes and nodes, and says how to fix problems.',
    )
    .option('--json', 'as JSON')
    .action(async ({ json }) => {
      const findings = [packages(), ...(await withContext(examine).catch(unreachable))];
      print(json ? findings : findings.map(lineOf), json);
      if (findings.some(({ fine }) => !fine)) process.exitCode = 1;
    });
}

const lineOf = ({ part, fine, found, mend }: Diagnosis) => ({
  ...{ check: part, status: fine ? 'ok' : 'PROBLEM', result: found, fix: mend },
});

function packages(): Diagnosis {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return diagnosis(
    'versions',
    installed(false),
    `Cairn ${version}, Node ${process.versions.node}`,
    'run npm ci, then npm run patch',
  );
}

const unreachable = (error: Error): Diagnosis[] => [
  diagnosis(
    'database',
    false,
    error.message,
    'start the product, or set DATABASE_URL to a server that answers',
  ),
];

async function examine(record: AppContext): Promise<Diagnosis[]> {
  const { settings, sql, storage } = record;
  const space = await storage.space();
  const postgres = await postgresVersion(sql);
  const found = await health(record);
  const site = await probe(siteAddress(settings), '/readyz');
  const planes = await planeFindings(record);
  const runs = (name: string, answer: typeof site, where: string) =>
    diagnosis(
      name,
      answer === null || answer.status === 200,
      answer === null ? `not running at ${where}` : answer.status === 200 ? `ready at ${where}` : answer.body,
      `check the log of the ${name}, then restart the product`,
    );
  return [
    disk(space, settings.DATA_DIR),
    diagnosis('database', found.database, `Postgres ${postgres.text}`, 'start the product'),
    diagnosis(
      'schema',
      found.migrated,
      found.migrated ? `${migrations().length} migrations` : 'older than this code',
      'run npm run -s cairn -- migrate',
    ),
    roles(await connectedRoles(sql)),
    diagnosis(
      'storage',
      found.storage,
      settings.DATA_DIR,
      'make the folder writable for the user that runs Cairn',
    ),
    ...(await searchFindings(record, await siteStatus(record))),
    runs('site', site, `port ${settings.PORT}`),
    ...planes.findings,
    await nodes(record, planes.isRunning),
    diskLimits(await nodeViews(sql, record.now()), settings),
    mail(settings),
  ];
}

/** Without mail nobody can verify an address by a link. */
const mail = (settings: Settings): Diagnosis =>
  diagnosis(
    'mail',
    mailMode(settings) !== 'off',
    mailMode(settings) === 'off'
      ? 'none is sent, so addresses of new accounts stay unverified'
      : `by ${mailMode(settings)}`,
    'set SMTP_URL, or verify addresses by hand (user verify)',
  );

/** A fault in a query may do what its role may do. */
function roles(connected: Awaited<ReturnType<typeof connectedRoles>>): Diagnosis {
  const names = connected.map(({ role, superuser }) => (superuser ? `${role} (superuser)` : role));
  return diagnosis(
    'roles',
    connected.every(({ superuser }) => !superuser),
    names.length > 0 ? names.join(', ') : 'no process is connected',
    'give the processes roles of their own: run npm run -s cairn -- database roles',
  );
}

/** Uploads are refused when only the reserve is free. */
function disk(space: Space | null, folder: string): Diagnosis {
  if (!space) return diagnosis('disk', true, 'unlimited', '');
  const [free_mb, reserve_mb] = [space.free_bytes, reserveBytes(space)].map((bytes) =>
    Math.floor(bytes / 1024 ** 2),
  ) as [number, number];
  return diagnosis(
    'disk',
    free_mb > 512 && free_mb > reserve_mb,
    `${free_mb} MB free in ${folder}, ${reserve_mb} MB of it kept in reserve`,
    'free some space',
  );
}

/** Without a running control plane no node can have a recent heartbeat, so they are not reported as offline. */
async function nodes({ sql, now }: AppContext, plane: boolean): Promise<Diagnosis> {
  const views = await nodeViews(sql, now());
  const bad = views.filter(({ status }) => status === 'offline' || status === 'degraded');
  return diagnosis(
    'game servers',
    !plane || bad.length === 0,
    bad.length > 0
      ? bad.map(({ name, status }) => `node ${name} is ${status}`).join(', ')
      : `nodes: ${views.length}, servers: ${views.reduce((sum, { servers }) => sum + servers, 0)}`,
    'check the agent and the Docker engine of that node (node list), or remove it',
  );
}
