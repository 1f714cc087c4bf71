import { type ListedFile, recognise } from '#db/hosting/servers/content/installed.ts';
import { type PackRecord, packRecord } from '#db/hosting/servers/content/pack-record.ts';
import type { Planning } from '#db/hosting/servers/content/plan.ts';
import { type ContentTarget, contentFolders, worldFolder } from '#db/hosting/servers/content/rules.ts';
import { whyNotHave, whyNotSee } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { askFiles, type ServerOnNode } from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import { serverForFiles } from '../transfers/file-access.ts';

/** The content of a server as its agent and the catalogue know it. */
interface ServerContent {
  server: ServerOnNode;
  view: ServerView;
  planning: Planning;
  pack: PackRecord | null;
}

/** What an agent lists of folders. */
interface FolderListing {
  files: ListedFile[];
  revision: string;
  more: number;
  folders: string[];
}

/** The server of a request and the folder of its world. Refuses as `serverForFiles`, and `agent_outdated`. */
export async function contentServer(
  context: PlaneContext,
  actor: Actor,
  server_id: string,
  wanted: 'read' | 'change',
): Promise<{ server: ServerOnNode; view: ServerView; target: ContentTarget }> {
  // what a server has installed is no secret: everybody on it sees it
  const rule = wanted === 'read' ? whyNotSee : whyNotHave.content;
  const { record, ...server } = await serverForFiles(context, actor, server_id, wanted, rule);
  const { view } = record;
  const world = worldFolder(await propertiesOf(context, server));
  return { server, view, target: { game_version: view.game_version, loader: view.loader, world } };
}

/** The text of `server.properties`; null when there is none that can be read. */
async function propertiesOf(context: PlaneContext, server: ServerOnNode): Promise<string | null> {
  try {
    const { content } = await askFiles(context, server, 'read_text', { path: 'server.properties' });
    return Buffer.from(content, 'base64').toString('utf8');
  } catch (error) {
    if (error instanceof Refused && /^file_/.test(error.code)) return null;
    throw error;
  }
}

/** What is in these folders of a server. */
export async function listFolders(
  context: PlaneContext,
  server: ServerOnNode,
  folders: string[],
): Promise<FolderListing> {
  return { ...(await askFiles(context, server, 'content_list', { folders })), folders };
}

/** The content of a server, recognised by its hashes. Refuses as `contentServer`. */
export async function serverContent(
  context: PlaneContext,
  actor: Actor,
  server_id: string,
  wanted: 'read' | 'change',
): Promise<ServerContent> {
  const { server, view, target } = await contentServer(context, actor, server_id, wanted);
  const { files: listed, ...rest } = await listFolders(context, server, contentFolders(target));
  const { sql, settings } = context;
  const files = await recognise(sql, settings, listed, target, actor);
  const pack = await packRecord(sql, server_id);
  return { server, view, pack, planning: { settings, actor, target, installed: { files, ...rest } } };
}
