import { rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { dirname } from 'node:path';
import { max_proxied_head_bytes } from '#db/http-limits.ts';
import { makeSocketFolder } from '#db/private-folder.ts';

/** A server that accepts the same heads as the site does. Archives may take as long as they need. */
export const createHttpServer = (handle: RequestListener): Server =>
  createServer({ requestTimeout: 0, maxHeaderSize: max_proxied_head_bytes }, handle);

/** Opens the door. A socket file that a killed run left behind is removed: its supervisor made sure nobody listens. */
export async function listenOn(server: Server, door: { socketPath: string } | { url: URL }): Promise<void> {
  if ('socketPath' in door) {
    makeSocketFolder(dirname(door.socketPath));
    rmSync(door.socketPath, { force: true });
  }
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    if ('socketPath' in door) server.listen(door.socketPath, done);
    else server.listen(Number(door.url.port || 80), door.url.hostname, done);
  });
}
