import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { apiListener } from '../api/listener.ts';
import { closeServer, createHttpServer, listen } from '../platform/http/http-server.ts';
import type { TestApi } from './api.ts';

/** The API of `testApi` on a port of its own, through the product's HTTP server, for clients that open connections. */
export function listeningApi(api: TestApi): { url: string } {
  const made = { url: '' };
  let server: ReturnType<typeof createHttpServer>;
  beforeAll(async () => {
    server = createHttpServer(apiListener(api.app.fetch as never, api.services.settings.SITE_URL));
    await listen(server, '127.0.0.1', 0);
    made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => await closeServer(server, 1000));
  return made;
}
