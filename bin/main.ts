import { existsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAdNetwork } from '#db/money/ads/open.ts';
import { parseSettings, SettingError } from '#db/platform/runtime/env.ts';
import { databaseAddress } from '#db/platform/runtime/settings/data.ts';
import { checkDatabase } from './check-database.ts';
import { type Hosting, startAgent, stillRunning } from './hosting.ts';
import { keepPostgres } from './postgres.ts';
import { checkFolder, checkPort } from './preflight.ts';
import type { Prepared } from './prepare.ts';
import { startProcesses } from './processes.ts';
import { acquireRunLock } from './run-lock.ts';
import { startupBanner } from './startup-banner.ts';
import { runTask } from './task.ts';
import { UserError } from './user-error.ts';

/**
 * `npm start` and `npm run dev`: one supervisor for database, site and control planes (`--planes 2` starts two). Every
 * resource is pushed on `cleanup` and closed in reverse order, whatever happens. It runs as long as the product, so
 * one-time work runs as a task in a separate process to save memory.
 */
const { dev, planes } = parseArgs({
  options: { dev: { type: 'boolean', default: false }, planes: { type: 'string' } },
  strict: false,
}).values as { dev: boolean; planes?: string | boolean };
const stop = new AbortController();
const cleanup: Array<() => unknown> = [];
let hosting: Hosting = { on: false, why: 'chosen' };
/** Called once when a required process gave up for good. */
const onGaveUp = (line: string) => {
  process.exitCode = 1;
  say(line);
  stop.abort();
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
process.once('disconnect', () => stop.abort()); // the process that started this one died
// a terminal or pipe that closed must not prevent a clean shutdown
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const stopped = new Promise<void>((done) => stop.signal.addEventListener('abort', () => done()));
try {
  // an interrupted start is abandoned: `cleanup` closes what it opened
  await Promise.race([start(), stopped]);
  await stopped;
} catch (error) {
  if (!stop.signal.aborted || error instanceof UserError) report(error);
}
const left = stillRunning(hosting);
const hard = setTimeout(() => process.exit(1), 9_500);
for (const close of cleanup.reverse()) await Promise.resolve(close()).catch(report);
const line = await left;
if (line) say(line);
clearTimeout(hard);
process.exit();

async function start(): Promise<void> {
  const began = Date.now();
  if (planes !== undefined) process.env.CONTROL_PLANES = String(planes);
  const given = parseSettings(process.env);
  openAdNetwork(given); // mistakes in ads end the start as those in settings do
  const embedded = databaseAddress(given) === null;
  checkFolder(given.DATA_DIR, embedded && !existsSync(join(given.DATA_DIR, 'objects')));
  const run = await acquireRunLock(given.DATA_DIR);
  cleanup.push(() => run.release());
  const port = await checkPort(given.HOST, given.PORT);
  stop.signal.throwIfAborted();
  const server = embedded ? await keepPostgres(given.DATA_DIR, cleanup, dev ? onGaveUp : null) : null;
  const address = server?.address ?? databaseAddress(given)!;
  await checkDatabase(address);
  stop.signal.throwIfAborted();
  const env = {
    DATA_DIR: given.DATA_DIR,
    PORT: String(port),
    ...(server ? { DATABASE_SOCKET: address } : {}),
  };
  Object.assign(process.env, env);
  const settings = parseSettings(process.env);
  const building = dev ? null : runTask('bin/build-site.ts', stop.signal);
  building?.catch(() => {}); // awaited below; a rejection before that must not end the process
  const prepared = await runTask<Prepared>('bin/prepare.ts', stop.signal);
  hosting = prepared.hosting;
  await building;
  stop.signal.throwIfAborted();
  const { databases } = prepared;
  const processes = await startProcesses({
    ...{ settings, databases, dev, run, onGaveUp, stop: stop.signal, cleanup },
  });
  if (hosting.on) processes.agent = startAgent(settings, hosting.node, run, dev);
  if (dev) cleanup.push((await import('./watch.ts')).watch(processes));
  const ready_ms = Date.now() - began;
  const cluster = server?.folder ?? null;
  say(startupBanner({ settings, prepared, cluster, ready_ms, dev }));
  if (prepared.pictures_left)
    runTask('bin/draw-demo-pictures.ts', stop.signal).catch((error: Error) => {
      if (!stop.signal.aborted)
        console.error(
          `The rest of the demo pictures was not drawn; the next start tries again: ${error.message}`,
        );
    });
  if (prepared.server_for)
    runTask('bin/order-demo-server.ts', stop.signal).catch((error: Error) => {
      if (!stop.signal.aborted)
        console.error(
          `The demo game server could not be created; the next start tries again: ${error.message}`,
        );
    });
}

function report(error: unknown): void {
  process.exitCode = 1;
  if (error instanceof UserError || error instanceof SettingError) say(error.message);
  else console.error(error);
}

/** Written synchronously: a pipe may be read only after this process ended. */
function say(line: string): void {
  try {
    writeSync(process.exitCode ? 2 : 1, `${line}\n`);
  } catch {
    // the reader closed the pipe
  }
}
