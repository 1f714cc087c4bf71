import { endDemoException, exceptDemoAccounts } from '#db/accounts/sign-in/staff-factor.ts';
import { openContext } from '#db/context.ts';
import { demoAccounts, demoPassword } from '#db/demo/demo.ts';
import { wantsLaterPictures } from '#db/demo/later-pictures.ts';
import { isSuperuser } from '#db/platform/postgres/roles/sessions.ts';
import { isOpen, parseSettings } from '#db/platform/runtime/env.ts';
import { prepare, seedOnce } from './database.ts';
import { demoServerOwner, wantsDemoServer } from './demo-server.ts';
import { detectHosting, type Hosting } from './hosting.ts';
import { localNode } from './local-node.ts';
import { configuredRoles, embeddedRoles, type ProcessRoles, superuser_warning } from './process-roles.ts';
import { reportTask } from './task.ts';

/** The state of an installation once its database is ready. */
export interface Prepared {
  /** The demo accounts of this installation and their common password; null without demo content. */
  accounts: { names: readonly string[]; password: string } | null;
  hosting: Hosting;
  /** The owner whose demo server still has to be created, or null. */
  server_for: string | null;
  /** Whether pictures of the demo content still have to be drawn. */
  pictures_left: boolean;
  /** The database as the processes reach it; null when they share the role of DATABASE_URL. */
  databases: Pick<ProcessRoles, 'site' | 'plane'> | null;
}

/** Schema, roles, tags, first content and this machine as a node, before anything serves. A task of `npm start`. */
await reportTask(async (): Promise<Prepared> => {
  const settings = parseSettings(process.env);
  const record = openContext(settings, 'start', { connections: 4 });
  try {
    const roles = settings.DATABASE_URL
      ? configuredRoles(settings)
      : embeddedRoles(settings.DATABASE_SOCKET!);
    await prepare(record, roles?.passwords ?? null);
    if (!roles && (await isSuperuser(record.sql))) console.error(superuser_warning);
    const seeded = (await seedOnce(record)) !== null;
    if (isOpen(settings)) await endDemoException(record.sql);
    else if (seeded) await exceptDemoAccounts(record.sql, demoAccounts);
    const hosting = await detectHosting(settings, () => localNode(record));
    const wanted = seeded && hosting.on && (await wantsDemoServer(record));
    return {
      accounts: seeded ? { names: demoAccounts, password: demoPassword } : null,
      hosting,
      server_for: wanted ? demoServerOwner : null,
      pictures_left: seeded && (await wantsLaterPictures(record)),
      databases: roles && { site: roles.site, plane: roles.plane },
    };
  } finally {
    await record.close();
  }
});
