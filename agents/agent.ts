import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import type { Logger } from 'pino';
import type { ServerSpec } from '#control/protocol/agent.ts';
import { watchEventLoop } from '#db/platform/runtime/event-loop.ts';
import { publicRequester } from '#db/platform/runtime/public-request.ts';
import { Backups } from './backups/backups.ts';
import { endOrphans } from './backups/orphans.ts';
import type { AgentContext } from './context.ts';
import { Disks } from './disk/disks.ts';
import { diskUsageCache } from './disk/usage-cache.ts';
import { connectDocker } from './docker/client.ts';
import { labelFilters } from './docker/containers.ts';
import { serverNetwork } from './docker/network.ts';
import { startExpiry } from './files/expiry.ts';
import { ensureImage } from './images/ensure-image.ts';
import { imagePins } from './images/pins.ts';
import { imageResolver } from './images/resolver.ts';
import { type AgentIntervals, usualIntervals } from './intervals.ts';
import { ServerRegistry } from './operations/registry.ts';
import { type ImageSource, type Kind, kindOf } from './plan/kinds.ts';
import { openPort } from './port/port.ts';
import { PortTransfers } from './port/port-transfers.ts';
import type { ConnectionRejected } from './session/client.ts';
import { openSession } from './session/session.ts';
import type { AgentSettings } from './settings.ts';
import { Sleepers } from './sleep/sleepers.ts';
import { openStateStore } from './state/store.ts';

export interface AgentOptions {
  settings: AgentSettings;
  log: Logger;
  /** The control plane rejected this agent. */
  onRejected(error: ConnectionRejected): void;
  /** Replaces the kinds of the product: tests run small ones. */
  kindOf?(spec: Pick<ServerSpec, 'kind'>): Kind | null;
  /** Those of tests are shorter. */
  intervals?: AgentIntervals;
  /** Requests to addresses that users give; tests allow their own servers. */
  fetchPublic?: AgentContext['fetchPublic'];
  ensureImage?(docker: Docker, wanted: ImageSource, say: (line: string) => void): Promise<string>;
}

/** Starts an agent in this process. */
export function startAgent(options: AgentOptions): {
  /** Releases everything and leaves containers running. */
  close(): void;
  /** After `close`: unmounts the disks of servers that do not run. */
  unmountIdle(): Promise<void>;
} {
  const { settings, log, intervals = usualIntervals } = options;
  const store = openStateStore(settings.data);
  const loop = watchEventLoop(log);
  const orphans = endOrphans(settings.data);
  if (orphans > 0) log.info({ orphans }, 'Ended programs of an agent that was killed');
  const disks = new Disks({ data: settings.data, option: settings.disk, docker: () => docker, log });
  const counts = diskUsageCache(settings.data, log, intervals.usage_ms);
  const docker = connectDocker(
    { log, filter: () => (store.identity() ? labelFilters(context.identity()) : null) },
    {
      up: () => registry.onDockerUp(),
      down: () => {},
      event: (event) => registry.onDockerEvent(event),
    },
  );
  const images = imageResolver(docker, {
    ensureImage: options.ensureImage ?? ensureImage,
    pins: imagePins(settings.data),
    say: (text) => log.info(text),
  });
  const network = serverNetwork(docker, { log, allow_private: settings.allow_private });
  const context: AgentContext = {
    docker,
    store,
    url: () => session.url(),
    log,
    now: Date.now,
    intervals,
    data: settings.data,
    identity: () => {
      const identity = store.identity();
      if (!identity) throw new Error('this node has not joined yet');
      return identity;
    },
    kindOf: options.kindOf ?? kindOf,
    ensureImage: images.resolve,
    prepareNetwork: network.prepare,
    hasFirewall: network.hasRules,
    takeLoopDelay: loop.take,
    disks,
    sleepers: new Sleepers(),
    backups: new Backups({
      ...{ data: settings.data, s3: settings.s3 ?? null, log },
      platform: { url: () => session.url(), ask: (request, question) => session.ask(request, question) },
    }),
    transfers: new PortTransfers(),
    transferUrl: () => port?.url() ?? null,
    onConsoleLines: (server_id) => session.onConsoleLines(server_id),
    onEventRecorded: () => session.onEventRecorded(),
    onProgress: (...progress) => session.onProgress(...progress),
    fetchPublic: options.fetchPublic ?? publicRequester({ answer_ms: 15_000 }),
    usedMb: async (server_id, when) => (await disks.imageMb(server_id)) ?? counts.usedMb(server_id, when),
  };
  const registry: ServerRegistry = new ServerRegistry(context, () => session.onObservedChanged());
  const session = openSession({
    settings,
    context,
    registry,
    boot_id: randomUUID(),
    onRejected: options.onRejected,
  });
  const port = settings.transfer
    ? openPort(settings.transfer, {
        ...{ log, transfers: context.transfers },
        ask: session.askTransfers,
        siteOrigin: session.siteOrigin,
        server: (id) => registry.serverWithFiles(id),
      })
    : null;
  registry.start();
  const expiry = startExpiry(context, registry.controllers);
  return {
    close() {
      loop.close();
      expiry.stop();
      port?.close();
      session.close();
      registry.close();
      context.sleepers.close();
      docker.close();
      store.close();
    },
    async unmountIdle() {
      const idle = [...registry.controllers.values()].filter(({ observed }) => !observed?.alive);
      await disks.unmountIdle(idle.map(({ id }) => id));
    },
  };
}
