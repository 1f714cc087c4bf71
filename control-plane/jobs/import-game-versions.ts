import { fetchVersions } from '#db/catalogue/tags/game-version-manifest.ts';
import { importGameVersions } from '#db/catalogue/tags/import-game-versions.ts';
import { defineJob } from './define.ts';

/** Adds the game versions that the list at GAME_VERSIONS_URL has beyond ours. */
export const importGameVersionsJob = defineJob({
  name: 'import_game_versions',
  queue: { retryLimit: 2, expireInSeconds: 120, deleteAfterSeconds: 86_400 },
  schedule: { cron: '13,43 * * * *', unique_s: 600 },
  async run({ sql, settings: { GAME_VERSIONS_URL } }) {
    if (!GAME_VERSIONS_URL) return undefined;
    const listed = await fetchVersions(GAME_VERSIONS_URL);
    const imported = await sql.begin((tx) => importGameVersions(tx, listed));
    return imported.length > 0 ? { imported } : undefined;
  },
});
