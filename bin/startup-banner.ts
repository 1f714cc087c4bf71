import { isOpen, type Settings } from '#db/platform/runtime/env.ts';
import { hostOf } from './check-database.ts';
import { hostingLine } from './hosting.ts';
import type { Prepared } from './prepare.ts';

interface Facts {
  settings: Settings;
  prepared: Prepared;
  /** The folder of the embedded database; null with DATABASE_URL. */
  cluster: string | null;
  ready_ms: number;
  dev: boolean;
}

/** The block that a start prints when everything is healthy. */
export function startupBanner({ settings, prepared, cluster, ready_ms, dev }: Facts): string {
  const { SITE_URL, DATA_DIR, DATABASE_URL } = settings;
  const { hosting, server_for } = prepared;
  const accounts = prepared.accounts
    ? `${prepared.accounts.names.join(', ')} (password: ${prepared.accounts.password})`
    : 'none yet: npm run -s cairn -- user create --help';
  const database = cluster ?? (DATABASE_URL ? hostOf(DATABASE_URL) : '');
  const data = database.startsWith(DATA_DIR) ? DATA_DIR : `${DATA_DIR} (files), ${database} (database)`;
  return [
    '',
    `  Cairn is ready${dev ? ' and reloads on changes' : ''} (${(ready_ms / 1000).toFixed(1)} s)`,
    '',
    `  Open      ${SITE_URL}`,
    `  Accounts  ${accounts}`,
    `  Data      ${data}`,
    `  Hosting   ${hostingLine(hosting, settings)}`,
    ...(settings.CONTROL_PLANES > 1
      ? [`  Planes    ${settings.CONTROL_PLANES} control planes: any one may end and comes back`]
      : []),
    ...(isOpen(settings) && !settings.SMTP_URL
      ? [
          '  Mail      off: set SMTP_URL. Until then you verify addresses by hand: npm run -s cairn -- user verify --help',
        ]
      : []),
    ...(server_for
      ? [`            Setting up a demo server for ${server_for}: ${SITE_URL}/servers/manage`]
      : []),
    `  Stop      Ctrl+C, or kill ${process.pid}`,
    '',
  ].join('\n');
}
