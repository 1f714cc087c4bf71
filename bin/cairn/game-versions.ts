import type { Command } from 'commander';
import { fetchVersions, ManifestError } from '#db/catalogue/tags/game-version-manifest.ts';
import { importGameVersions } from '#db/catalogue/tags/import-game-versions.ts';
import { UserError } from '../user-error.ts';
import { print } from './print.ts';
import { withContext } from './with-context.ts';

/** `game-versions`: the versions of the game that this installation knows. */
export function gameVersionCommands(program: Command): void {
  program
    .command('game-versions')
    .description('Manages the versions of the game.')
    .command('import')
    .description('Adds the versions of a list in the format of game launchers; prints the new ones.')
    .option('--from <address>', 'address of the list; GAME_VERSIONS_URL by default')
    .option('--json', 'as JSON')
    .action(async ({ from, json }) => {
      const imported = await withContext(async ({ sql, settings }) => {
        const address = from ?? settings.GAME_VERSIONS_URL;
        if (!address) throw new UserError('Set GAME_VERSIONS_URL or add --from with the address of a list.');
        const listed = await fetchVersions(address).catch((error: unknown) => {
          throw error instanceof ManifestError ? new UserError(error.message) : error;
        });
        return await sql.begin((tx) => importGameVersions(tx, listed));
      });
      print(
        imported.map((version) => ({ version })),
        json,
      );
    });
}
