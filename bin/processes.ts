import { join } from 'node:path';
import {
  addressText,
  controlAddresses,
  endpointOf,
  planeAddress,
} from '#db/platform/runtime/control-address.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { root } from './install.mjs';
import type { DatabaseEnv } from './process-roles.ts';
import { type Address, untilReady } from './readiness.ts';
import type { RunLock } from './run-lock.ts';
import { type Child, supervise } from './supervise.ts';

export interface Processes {
  site: Child;
  /** The control planes, at least one. */
  planes: Child[];
  /** Of this machine's game servers, if it runs any. */
  agent?: Child;
}

interface Start {
  settings: Settings;
  /** The database for each kind of process, or null: that of the settings. */
  databases: Record<'site' | 'plane', DatabaseEnv> | null;
  dev: boolean;
  run: RunLock;
  onGaveUp(line: string): void;
  stop: AbortSignal;
  cleanup: Array<() => unknown>;
}

/** Running requests and jobs have this long to finish; the rest of the ten seconds is for Postgres. */
const stop_timeout_ms = 7_000;

/**
 * Rendering creates much short-lived garbage, which V8 keeps while the machine has memory: 2,500 pages took 504 MB,
 * with these limits 315. For the same reason glibc gets fewer arenas for memory that zlib's threads free, and returns
 * large blocks at once: 2,500 pages read from disk again took 376 MB instead of 400.
 */
export const memory_bounds = {
  args: ['--max-semi-space-size=8', '--max-old-space-size=1024'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' },
};

/**
 * Buffers of streams count as memory outside of the heap. By default V8 collects the whole heap for every few dozen MB of them; with
 * this, small collections free them before (8 MB): 256 MB through a process with a heap of 60 MB took 0.13 s of its time
 * instead of 0.9. Pages do not pay for it (six rounds with and without: rendered ones 0.98 and 0.93 of the processor time, cached ones
 * 0.85), downloads gain by it at the site too (0.36). See nodejs/node#61967.
 */
export const streaming_args = ['--scavenger-max-new-space-capacity-mb=2'];

/** Starts site and control planes and waits until all are healthy. All are stopped at the same time. */
export async function startProcesses({
  settings,
  databases,
  dev,
  run,
  onGaveUp,
  stop,
  cleanup,
}: Start): Promise<Processes> {
  const env = { NODE_ENV: dev ? 'development' : 'production' };
  const several = settings.CONTROL_PLANES > 1;
  const addresses = several
    ? controlAddresses(settings).slice(0, settings.CONTROL_PLANES)
    : [planeAddress(settings)];
  let ready = false;
  const one = (
    name: string,
    script: string,
    database: DatabaseEnv | undefined,
    bounds: { args: string[]; env: Record<string, string> } | null = null,
  ) =>
    supervise({
      name,
      args: ['--enable-source-maps', ...streaming_args, ...(bounds?.args ?? []), join(root, script)],
      env: { ...env, ...database, ...bounds?.env },
      onStarted: (pid) => run.note(name, pid),
      // a failed start ends; afterwards restarts go on forever, except in development
      givesUp: () => dev || !ready,
      onGaveUp: () => (dev ? undefined : onGaveUp(`Without its ${name} Cairn cannot run.`)),
    });
  const processes: Processes = {
    site: dev
      ? one('site', 'site/dev-server.ts', databases?.site)
      : one('site', 'site/server.ts', databases?.site, memory_bounds),
    planes: addresses.map((address, index) =>
      one(planeName(index), 'control-plane/main.ts', databases?.plane, {
        args: ['--max-semi-space-size=8'],
        env: { ...memory_bounds.env, PLANE_URL: addressText(address) },
      }),
    ),
  };
  cleanup.push(() => {
    const { site, planes, agent } = processes;
    return Promise.all([site, ...planes, agent].map((child) => child?.stop(stop_timeout_ms)));
  });
  await Promise.all([
    untilReady('site', siteAddress(settings), stop),
    ...addresses.map((address, index) => untilReady(planeName(index), endpointOf(address), stop)),
  ]);
  ready = true;
  return processes;
}

const planeName = (index: number): string => (index === 0 ? 'control plane' : `control plane ${index + 1}`);

/** The address of the site on this machine. */
export const siteAddress = ({ HOST, PORT }: Settings): Address => ({
  host: HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST.replace(/^\[|\]$/g, ''),
  port: PORT,
});
