import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reserved_name } from '#db/hosting/servers/files/rules.ts';
import { folderOf } from '../disk/folders.ts';
import type { FilesContext } from './files-context.ts';
import { type FilesOwner, filesOf } from './server-files.ts';

const every_ms = 3_600_000;

/** Empties trash and given up uploads of all servers of what is too old, every hour and soon after the start. */
export function startExpiry(
  { data, log }: Pick<FilesContext, 'data' | 'log'>,
  servers: ReadonlyMap<string, FilesOwner>,
): { stop(): void } {
  const expire = async (): Promise<void> => {
    for (const server of servers.values()) {
      // no disk is mounted for this
      if (!existsSync(join(folderOf(data, server.id), reserved_name))) continue;
      await filesOf(server)
        .expire()
        .catch((err) =>
          log.warn({ server_id: server.id, err }, 'The trash of a server could not be emptied'),
        );
    }
  };
  const timers = [setTimeout(() => void expire(), every_ms / 60), setInterval(() => void expire(), every_ms)];
  for (const timer of timers) timer.unref();
  return { stop: () => timers.forEach(clearTimeout) };
}
