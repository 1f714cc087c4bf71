import { rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { dirname } from 'node:path';
import { max_proxied_head_bytes } from '#db/platform/http-limits.ts';
import { makeSocketFolder } from '#db/platform/private-folder.ts';

/** A server that accepts the same heads as the site does. Archives may take as long as they need. */
export const createHttpServer = (handle: RequestListener): Server =>
  createServer({ requestTimeout: 0, maxHeaderSize: max_proxied_head_bytes }, handle);

/** Listens. A socket file that a killed run left behind is removed: its supervisor made sure that nothing listens there. */
export async function listenOn(
  server: Server,
  address: { socketPath: string } | { url: URL },
): Promise<void> {
  if ('socketPath' in address) {
    makeSocketFolder(dirname(address.socketPath));
    rmSync(address.socketPath, { force: true });
  }
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    if ('socketPath' in address) server.listen(address.socketPath, done);
    else server.listen(Number(address.url.port || 80), address.url.hostname, done);
  });
}
