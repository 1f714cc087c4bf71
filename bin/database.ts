import { loadTags } from '#db/catalogue/tags/write.ts';
import type { AppContext } from '#db/context.ts';
import { seedDemo } from '#db/demo/demo.ts';
import { wantLaterPictures } from '#db/demo/later-pictures.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { getFact, setFact, withAdvisoryLock } from '#db/platform/installation.ts';
import { installQueue } from '#db/platform/jobs/queue.ts';
import type { RolePasswords } from '#db/platform/postgres/roles/create.ts';
import { isOpen, type Settings } from '#db/platform/runtime/env.ts';
import { databaseAddress } from '#db/platform/runtime/settings/data.ts';
import { prepareRoles } from './process-roles.ts';
import { UserError } from './user-error.ts';

/**
 * Migrates the schema, the tables of the job queue and the privileges of the processes' roles, which get `passwords`, and updates the
 * tags. Concurrent processes wait for each other. Gives the migrations that ran.
 */
export async function prepare(
  { sql, settings }: Pick<AppContext, 'sql' | 'settings'>,
  passwords: RolePasswords | null,
): Promise<string[]> {
  const done = await migrate(sql);
  await installQueue(databaseAddress(settings)!);
  await prepareRoles(sql, passwords);
  await loadTags(sql);
  return done;
}

/** The value of `installation.seeded`. */
interface Seeded {
  kind: 'demo';
  at: string;
}

/**
 * Seeds an installation with the demo content, once. The passwords of its accounts are public, so an exposed
 * installation (`isOpen`) with them is refused unless SEED=demo was set explicitly.
 */
export async function seedOnce(record: AppContext): Promise<Seeded | null> {
  const { sql, settings } = record;
  return await withAdvisoryLock(sql, 'seed', async () => {
    const before = await getFact<Seeded>(sql, 'seeded');
    if (before) {
      refuseOpenDemo(settings);
      return before;
    }
    if (settings.SEED === 'none') return null;
    await seedDemo(record);
    await wantLaterPictures(record, record.now());
    const now: Seeded = { kind: 'demo', at: record.now().toISOString() };
    await setFact(sql, 'seeded', now);
    return now;
  });
}

/** Ends the start of an exposed installation with demo accounts, unless the operator set SEED=demo. */
function refuseOpenDemo(settings: Settings): void {
  const chosen = settings.seedChosen && settings.SEED === 'demo';
  if (chosen || !isOpen(settings)) return;
  const { HOST, SITE_URL, TRUST_PROXY } = settings;
  const reason = [
    `HOST=${HOST}`,
    `SITE_URL=${SITE_URL}`,
    ...(TRUST_PROXY ? [`TRUST_PROXY=${TRUST_PROXY}`] : []),
  ];
  throw new UserError(
    `This installation has demo accounts with known passwords, and ${reason.join(', ')} exposes it to others: set SEED=demo if you want that, or choose another DATA_DIR.`,
  );
}
