import { join } from 'node:path';
import { controlDoor } from '#db/doors.ts';
import type { Settings } from '#db/env.ts';
import { type Child, keep } from './child.ts';
import { type Door, untilReady } from './healthy.ts';
import { root } from './install.mjs';
import type { OwnRun } from './own-run.ts';

export interface Processes {
  site: Child;
  control: Child;
  /** Of this machine's game servers, where it carries some. */
  agent?: Child;
}

interface Start {
  settings: Settings;
  dev: boolean;
  run: OwnRun;
  lost(line: string): void;
  stop: AbortSignal;
  house: Array<() => unknown>;
}

/** Running requests and jobs get this long to end; the rest of the ten seconds is Postgres' own. */
const patience_ms = 7_000;

/**
 * Pages are made of much that is soon thrown away, and V8 lets it lie as long as the machine has room: 2,500 pages
 * took 504 MB, with these bounds 315. For the same reason glibc keeps what zlib's threads gave back in fewer places, and
 * gives the memory of whole pages back at once: 2,500 pages read from disk again took 376 MB instead of 400.
 */
const thrifty = {
  args: ['--max-semi-space-size=8', '--max-old-space-size=1024'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' },
};

/** Starts site and control plane and waits until both are healthy. All are asked to end at the same time. */
export async function startProcesses({ settings, dev, run, lost, stop, house }: Start): Promise<Processes> {
  const env = { NODE_ENV: dev ? 'development' : 'production' };
  let ready = false;
  const one = (name: string, script: string, bounds: typeof thrifty | null = null) =>
    keep({
      name,
      args: ['--enable-source-maps', ...(bounds?.args ?? []), join(root, script)],
      env: { ...env, ...bounds?.env },
      started: (pid) => run.note(name, pid),
      // a start that cannot work ends; what ran once is tried for ever, unless a developer is there to mend it
      givesUp: () => dev || !ready,
      gaveUp: () => (dev ? undefined : lost(`Without its ${name} Cairn cannot run.`)),
    });
  const processes: Processes = {
    site: dev ? one('site', 'site/dev.ts') : one('site', 'site/server.ts', thrifty),
    control: one('control plane', 'control-plane/main.ts', {
      args: ['--max-semi-space-size=4'],
      env: thrifty.env,
    }),
  };
  house.push(() => Promise.all(Object.values(processes).map((child) => child.stop(patience_ms))));
  await Promise.all([
    untilReady('site', siteDoor(settings), stop),
    untilReady('control plane', controlDoorOf(settings), stop),
  ]);
  ready = true;
  return processes;
}

/** Where the site answers on this machine. */
export const siteDoor = ({ HOST, PORT }: Settings): Door => ({
  host: HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST.replace(/^\[|\]$/g, ''),
  port: PORT,
});

/** Where the control plane answers. */
export function controlDoorOf(settings: Settings): Door {
  const door = controlDoor(settings);
  return 'url' in door ? { host: door.url.hostname, port: Number(door.url.port || 80) } : door;
}
