import { readFileSync } from 'node:fs';
import { openContext } from '#db/context.ts';
import { createEngine } from '#db/discovery/search/create-engine.ts';
import { lazyQueue } from '#db/platform/jobs/lazy-queue.ts';
import { controlAddresses } from '#db/platform/runtime/control-address.ts';
import { isOpen, parseSettings } from '#db/platform/runtime/env.ts';
import { onShutdown } from '#db/platform/runtime/shutdown.ts';
import { launcherSocket } from './api/launcher-socket/launcher-socket.ts';
import { createApp, type RenderPage } from './app.ts';
import { addressReader } from './platform/http/address.ts';
import { boundConnections, connectionLimits } from './platform/http/connection-limits.ts';
import { openControlPlanes } from './platform/http/control-planes.ts';
import { closeServer, createHttpServer, listen } from './platform/http/http-server.ts';
import { socketProxy } from './platform/http/socket-proxy.ts';
import { missingDetails } from './platform/legal/operator-details.ts';

/** The site process: API, files, pages and the proxy for control plane sockets, on one port. */
const settings = parseSettings(process.env);
const context = openContext(settings, 'site', { statement_timeout_ms: 15_000 });
const shutdown = onShutdown(context.log);
shutdown.add(() => context.close());

const search = createEngine(context);
shutdown.add(() => search.close());
const jobs = lazyQueue(settings, context.log);
shutdown.add(() => jobs.close());

const built = new URL('../dist/', import.meta.url);
const { handler } = (await import(new URL('server/entry.mjs', built).href)) as { handler: RenderPage };
const id = readFileSync(new URL('.cairn-build', built), 'utf8');
const site = await createApp(
  { ...context, search, queue: jobs.queue },
  { pages: handler, built: { folder: new URL('client/', built), id } },
);
shutdown.add(() => site.close());

const server = createHttpServer(site.handle);
boundConnections(server, connectionLimits(settings.TRUST_PROXY !== '' || !isOpen(settings)));
const addressOf = addressReader(settings.TRUST_PROXY);
const planes = openControlPlanes(controlAddresses(settings));
shutdown.add(() => planes.close());
const sockets = socketProxy({ planes, addressOf });
const launchers = launcherSocket({ services: context, addressOf });
server.on('upgrade', (req, socket, head) => {
  if (!launchers.upgrade(req, socket, head)) sockets.upgrade(req, socket, head);
});
await listen(server, settings.HOST, settings.PORT);
shutdown.add(() => closeServer(server, 4_000));
shutdown.add(() => sockets.close());
shutdown.add(() => launchers.close());
const missing = missingDetails(settings);
if (missing.length > 0)
  context.log.warn({ settings: missing }, 'The legal pages lack details of the operator: set these settings');
context.log.info({ port: settings.PORT }, 'The site is ready');
