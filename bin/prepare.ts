import { openContext } from '#db/context.ts';
import { demoAccounts, demoPassword } from '#db/demo/demo.ts';
import { isOpen, parseSettings } from '#db/runtime/env.ts';
import { endDemoException, exceptDemoAccounts } from '#db/sign-in/staff-factor.ts';
import { prepare, seedOnce } from './database.ts';
import { demoServerOwner, wantsDemoServer } from './demo-server.ts';
import { detectHosting, type Hosting } from './hosting.ts';
import { localNode } from './local-node.ts';
import { reportTask } from './task.ts';

/** The state of an installation once its database is ready. */
export interface Prepared {
  /** The demo accounts of this installation and their common password; null without demo content. */
  accounts: { names: readonly string[]; password: string } | null;
  hosting: Hosting;
  /** The owner whose demo server still has to be created, or null. */
  server_for: string | null;
}

/** Schema, tags, first content and this machine as a node, before anything serves. A task of `npm start`. */
await reportTask(async (): Promise<Prepared> => {
  const settings = parseSettings(process.env);
  const record = openContext(settings, 'start', { connections: 4 });
  try {
    await prepare(record.sql);
    const seeded = (await seedOnce(record)) !== null;
    if (isOpen(settings)) await endDemoException(record.sql);
    else if (seeded) await exceptDemoAccounts(record.sql, demoAccounts);
    const hosting = await detectHosting(settings, () => localNode(record));
    const wanted = seeded && hosting.on && (await wantsDemoServer(record));
    return {
      accounts: seeded ? { names: demoAccounts, password: demoPassword } : null,
      hosting,
      server_for: wanted ? demoServerOwner : null,
    };
  } finally {
    await record.close();
  }
});
