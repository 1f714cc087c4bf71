import { serverLoaderNames } from '#db/hosting/server-kinds/data/loaders.ts';
import { UserError } from '../../user-error.ts';
import { followChange } from './change-tasks.ts';
import { flag, json, op_id, server as server_id, text, wait } from './parameters.ts';
import { type Row, row } from './row.ts';

const failures = { change: 'Failed to change the loader', undo: 'Failed to take the change back' } as const;

const names = `${serverLoaderNames.slice(0, -1).join(', ')} or ${serverLoaderNames.at(-1)}`;

/** Game version and loader of game servers. */
export const loaderRows: Row[] = [
  row('loader show', 'Shows game version and loader of a server, what it can be, and its newest change.', {
    server_id,
    json,
  })
    .asks('loader.show')
    .lists(({ game_version, loader, loader_version, offers }) => [
      [
        {
          game_version,
          loader: loader ?? 'vanilla',
          loader_version: loader ? (loader_version ?? 'newest') : '',
        },
      ],
      offers.map((one) => ({ game_version: one.game_version, loaders: one.loaders.join(' ') })),
    ]),
  row('loader change', 'Changes game version or loader; a backup is made first. What is left out stays.', {
    server_id,
    game_version: text('--game-version <version>', 'version of the game'),
    loader: text('--loader <loader>', names),
    loader_version: text('--loader-version <version>', 'version of the loader, or newest (default: newest)'),
    backup: flag('--no-backup', 'make no backup first'),
    erase: flag('--erase', 'move all files of the server into the trash first'),
    stop: flag('--stop', 'stop a running server; it is started again afterwards'),
    wait,
    json,
    op_id,
  })
    .asks('loader.change', async ({ game_version, loader, loader_version, ...message }, plane) => {
      const now = await plane.request('loader.show', { server_id: message.server_id });
      return { ...message, ...wantedOf(now, { game_version, loader, loader_version }) };
    })
    .follows(failures.change, followChange),
  row('loader undo', 'Takes the newest change of a server back, of content or loader.', {
    server_id,
    wait,
    json,
    op_id,
  })
    .asks('content.undo', async (message, plane) => {
      const { change } = await plane.request('loader.show', { server_id: message.server_id });
      if (!change) throw new UserError(`${failures.undo}: this server was not changed yet.`);
      return { ...message, change_id: change.id };
    })
    .follows(failures.undo, followChange),
];

interface Wanted {
  game_version: string | undefined;
  loader: string | undefined;
  loader_version: string | undefined;
}

/** What the server is to be. A version of a loader stays only with its loader. */
function wantedOf(
  now: { game_version: string; loader: string | null; loader_version: string | null },
  { game_version = now.game_version, loader: name, loader_version: version }: Wanted,
) {
  const loader = name === undefined ? now.loader : name === 'vanilla' ? null : name;
  const stays = version === undefined && loader === now.loader && game_version === now.game_version;
  const named = version === 'newest' ? null : (version ?? null);
  return { game_version, loader, loader_version: stays ? now.loader_version : named };
}
