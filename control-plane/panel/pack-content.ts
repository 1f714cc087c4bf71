import type { PackTarget } from '#db/hosting/servers/changes/pack-plan.ts';
import { type CatalogueVersion, versionsById } from '#db/hosting/servers/content/catalogue.ts';
import { openPack, type Pack } from '#db/hosting/servers/content/pack-archive.ts';
import { packRecord } from '#db/hosting/servers/content/pack-record.ts';
import { installedPack, type PackServer } from '#db/hosting/servers/content/pack-view.ts';
import { contentFolders } from '#db/hosting/servers/content/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { askFiles, type ServerOnNode } from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import { contentServer, listFolders } from './server-content.ts';

/** Most paths of one question to an agent. */
const max_paths = 500;

/** Which of these files a server has, with the time of their last change. */
async function look(
  context: PlaneContext,
  server: ServerOnNode,
  paths: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let from = 0; from < paths.length; from += max_paths) {
    const page = paths.slice(from, from + max_paths);
    const { entries } = await askFiles(context, server, 'stat', { paths: page });
    for (const [at, entry] of entries.entries()) if (entry) found.set(page[at]!, entry.modified);
  }
  return found;
}

/** A version of a modpack that the actor may see. Refuses `not_found`, and as `openPack`. */
export async function packOf(context: PlaneContext, actor: Actor, version_id: string): Promise<Pack> {
  const { sql, settings, storage } = context;
  const version = (await versionsById(sql, settings, [version_id], actor)).get(version_id);
  if (!version) throw new Refused('not_found');
  return await openPack(sql, { settings, storage, actor }, version);
}

/**
 * A modpack in the version that is chosen for the server, and the server that gets it, with the files in the folders of content
 * of its loader before and after. Refuses as `contentServer` and `packOf`.
 */
export async function packTarget(
  context: PlaneContext,
  actor: Actor,
  { server_id, choose }: { server_id: string; choose(server: PackServer): Promise<string> },
): Promise<{ pack: Pack; target: PackTarget; before: CatalogueVersion | null }> {
  const { server, view, target } = await contentServer(context, actor, server_id, 'change');
  const pack = await packOf(context, actor, await choose(view));
  const { world } = target;
  const folders = [
    ...contentFolders(target),
    ...contentFolders({ loader: pack.loader?.loader ?? null, world }),
  ];
  const listed = await listFolders(context, server, [...new Set(folders)]);
  const record = await packRecord(context.sql, server_id);
  const { kind, game_version, loader, loader_version } = view;
  return {
    pack,
    before: await installedPack(context.sql, context.settings, record, actor),
    target: {
      ...{ kind, world, listed, record, now: { game_version, loader, loader_version } },
      look: (paths) => look(context, server, paths),
    },
  };
}
