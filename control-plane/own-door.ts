import { mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname } from 'node:path';

/** Opens the door. A socket file that a killed run left behind is removed: its supervisor made sure nobody listens. */
export async function listenOn(server: Server, door: { socketPath: string } | { url: URL }): Promise<void> {
  if ('socketPath' in door) {
    mkdirSync(dirname(door.socketPath), { recursive: true });
    rmSync(door.socketPath, { force: true });
  }
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    if ('socketPath' in door) server.listen(door.socketPath, done);
    else server.listen(Number(door.url.port || 80), door.url.hostname, done);
  });
}
