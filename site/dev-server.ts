import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type AstroIntegration, dev } from 'astro';
import { openContext } from '#db/context.ts';
import { createEngine } from '#db/discovery/search/create-engine.ts';
import { lazyQueue } from '#db/platform/jobs/lazy-queue.ts';
import { controlAddresses } from '#db/platform/runtime/control-address.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { onShutdown } from '#db/platform/runtime/shutdown.ts';
import { launcherSocket } from './api/launcher-socket/launcher-socket.ts';
import { createApp } from './app.ts';
import { addressReader } from './platform/http/address.ts';
import { openControlPlanes } from './platform/http/control-planes.ts';
import { namesSockets, socketProxy } from './platform/http/socket-proxy.ts';
import { devAddress } from './platform/static-pages/dev-address.ts';
import { dev_services } from './platform/static-pages/dev-fill.ts';

/**
 * The development server: Astro's own, with everything that is not a page in front of it. Pages, islands and styles are
 * reloaded by Vite; the supervisor restarts this process when other code changes.
 */
const settings = parseSettings(process.env);
const context = openContext(settings, 'site', { statement_timeout_ms: 15_000 });
const shutdown = onShutdown(context.log);
shutdown.add(() => context.close());
const search = createEngine(context);
shutdown.add(() => search.close());
const jobs = lazyQueue(settings, context.log);
shutdown.add(() => jobs.close());

/** Where Astro reads `Astro.locals` of a request in development. */
const locals = Symbol.for('astro.locals');
const onward = new WeakMap<IncomingMessage, () => void>();
const site = await createApp(
  { ...context, search, queue: jobs.queue },
  {
    built: null,
    pages(req, _res, _next, given) {
      Reflect.set(req, locals, given);
      req.url = devAddress(req);
      onward.get(req)?.();
    },
  },
);
shutdown.add(() => site.close());
Reflect.set(globalThis, dev_services, context);

const addressOf = addressReader(settings.TRUST_PROXY);
const planes = openControlPlanes(controlAddresses(settings));
shutdown.add(() => planes.close());
const sockets = socketProxy({ planes, addressOf });
const launchers = launcherSocket({ services: context, addressOf });
shutdown.add(() => launchers.close());

const ours: AstroIntegration = {
  name: 'cairn',
  hooks: {
    'astro:server:setup': ({ server }) => {
      server.middlewares.use((req, res, next) => {
        onward.set(req, next);
        void site.handle(req, res);
      });
      // Vite's own WebSocket is left alone
      server.httpServer?.on('upgrade', (req, socket, head) => {
        if (launchers.upgrade(req, socket, head)) return;
        if (namesSockets(req)) sockets.upgrade(req, socket, head);
      });
    },
  },
};
const server = await dev({
  root: fileURLToPath(new URL('..', import.meta.url)),
  server: { host: settings.HOST, port: settings.PORT },
  vite: { server: { strictPort: true } },
  integrations: [ours],
  logLevel: 'warn',
});
// not closed: it would wait for browsers that stay connected, and the process ends anyway
context.log.info({ port: server.address.port }, 'The site is ready');
