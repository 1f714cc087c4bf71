import type { Settings } from '#db/env.ts';
import { demoAccounts, demoPassword } from '#db/seed/demo.ts';
import { hostOf } from './database.ts';
import { type Hosting, hostingLine } from './hosting.ts';

interface Facts {
  settings: Settings;
  seeded: boolean;
  /** The folder of the embedded database; null when DATABASE_URL names another. */
  cluster: string | null;
  hosting: Hosting;
  /** Whether the game server of the demo world is being made right now. */
  makesServer: boolean;
  ready_ms: number;
  dev: boolean;
}

/** The one block a start prints when everything is healthy. */
export function announce({ settings, seeded, cluster, hosting, makesServer, ready_ms, dev }: Facts): string {
  const { SITE_URL, DATA_DIR, DATABASE_URL } = settings;
  const accounts = seeded
    ? `${demoAccounts.join(', ')} (password of each: ${demoPassword})`
    : 'none yet: npm run -s cairn -- user create --help';
  const database = cluster ?? (DATABASE_URL ? hostOf(DATABASE_URL) : '');
  const data = database.startsWith(DATA_DIR) ? DATA_DIR : `${DATA_DIR} (files), ${database} (database)`;
  return [
    '',
    `  Cairn is ready${dev ? ' and reloads on change' : ''} (${(ready_ms / 1000).toFixed(1)} s)`,
    '',
    `  Open      ${SITE_URL}`,
    `  Accounts  ${accounts}`,
    `  Data      ${data}`,
    `  Hosting   ${hostingLine(hosting)}`,
    ...(makesServer
      ? [`            One is being made for ${demoAccounts[3]}: ${SITE_URL}/servers/manage`]
      : []),
    `  Stop      Ctrl+C, or kill ${process.pid}`,
    '',
  ].join('\n');
}
