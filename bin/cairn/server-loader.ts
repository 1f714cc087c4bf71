import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import { follow, type Waiting } from './change-follow.ts';
import { print } from './print.ts';

interface Shown {
  json?: boolean;
}
interface ChangeOptions extends Waiting {
  gameVersion?: string;
  loader?: string;
  loaderVersion?: string;
  backup: boolean;
  erase?: boolean;
  stop?: boolean;
}

const failures = { change: 'Failed to change the loader', undo: 'Failed to take the change back' } as const;

/** `server loader`: game version and loader of game servers, by the same rules as their panel. */
export function loaderCommands(server: Command, asking: Asking): void {
  const loader = server.command('loader').description('Shows and changes game version and loader.');
  const verb = (name: string, description: string) =>
    loader.command(name).description(description).argument('<server>', 'ID of the server');

  verb('show', 'Shows game version and loader of a server, what it can be, and its newest change.')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, { json }: Shown) => {
        const shown = await plane.request('loader.show', { server_id });
        if (json) return void console.log(JSON.stringify(shown, null, 2));
        const { game_version, loader: now, loader_version, offers } = shown;
        print([
          { game_version, loader: now ?? 'vanilla', loader_version: now ? (loader_version ?? 'newest') : '' },
        ]);
        print(offers.map((one) => ({ game_version: one.game_version, loaders: one.loaders.join(' ') })));
      }),
    );
  verb('change', 'Changes game version or loader; a backup is made first. What is left out stays.')
    .option('--game-version <version>', 'version of the game')
    .option('--loader <loader>', 'vanilla, paper, purpur, fabric, quilt, neoforge or forge')
    .option('--loader-version <version>', 'version of the loader, or newest (default: newest)')
    .option('--no-backup', 'make no backup first')
    .option('--erase', 'move all files of the server into the trash first')
    .option('--stop', 'stop a running server; it is started again afterwards')
    .option('--wait', 'wait until it is done')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, given: ChangeOptions) => {
        const { backup, erase = false, stop = false } = given;
        const now = await plane.request('loader.show', { server_id });
        const to = wantedOf(now, given);
        const message = { server_id, op_id: randomUUID(), ...to, backup, erase, stop };
        await follow(plane, server_id, failures.change, () => plane.request('loader.change', message), given);
      }),
    );
  verb('undo', 'Takes the newest change of a server back, of content or loader.')
    .option('--wait', 'wait until it is done')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, how: Waiting) => {
        const { change } = await plane.request('loader.show', { server_id });
        if (!change) throw new UserError(`${failures.undo}: this server was not changed yet.`);
        const message = { server_id, op_id: randomUUID(), change_id: change.id };
        await follow(plane, server_id, failures.undo, () => plane.request('content.undo', message), how);
      }),
    );
}

/** What the server is to be. A version of a loader stays only with its loader. */
function wantedOf(
  now: { game_version: string; loader: string | null; loader_version: string | null },
  given: Pick<ChangeOptions, 'gameVersion' | 'loader' | 'loaderVersion'>,
) {
  const loader = given.loader === undefined ? now.loader : given.loader === 'vanilla' ? null : given.loader;
  const game_version = given.gameVersion ?? now.game_version;
  const stays =
    given.loaderVersion === undefined && loader === now.loader && game_version === now.game_version;
  const named = given.loaderVersion === 'newest' ? null : (given.loaderVersion ?? null);
  return { game_version, loader, loader_version: stays ? now.loader_version : named };
}
