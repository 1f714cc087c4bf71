import { packRecord } from '#db/hosting/servers/content/pack-record.ts';
import { installedPack } from '#db/hosting/servers/content/pack-view.ts';
import { icon_path, icon_px, whyNotIcon } from '#db/hosting/servers/icon/rules.ts';
import { keepIcon } from '#db/hosting/servers/icon/stored.ts';
import { markRestartDue } from '#db/hosting/servers/restart-due.ts';
import { whyNotHave, whyNotSee } from '#db/hosting/servers/rules.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { askFiles, type ServerOnNode } from '../agents/ask-files.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import { serverForFiles } from '../transfers/file-access.ts';
import { makeDebugBundle } from './debug-bundle.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type GeneralHandlers = {
  [E in keyof All as E extends `icon.${string}` | 'debug.bundle' ? E : never]: All[E];
};

/** The handlers of requests about the picture of a server, and the facts that explain a problem. */
export function generalHandlers({ context }: PanelServices, asUser: AsUser): GeneralHandlers {
  const { sql, settings } = context;

  async function packOf(actor: Actor, server_id: string) {
    const pack = await installedPack(sql, settings, await packRecord(sql, server_id), actor);
    return pack && { title: pack.project.title, icon_url: pack.project.icon_url };
  }
  async function readIcon(server: ServerOnNode): Promise<{ png: string | null; etag: string }> {
    try {
      const { content, etag } = await askFiles(context, server, 'read_text', { path: icon_path });
      return { png: whyNotIcon(Buffer.from(content, 'base64')) ? null : content, etag };
    } catch (error) {
      if (error instanceof Refused && error.code === 'file_not_found') return { png: null, etag: '' };
      throw error;
    }
  }

  return {
    'icon.show': asUser(async (actor, { server_id }) => {
      const icon = await readIcon(await serverForFiles(context, actor, server_id, 'read', whyNotSee));
      // it may have been changed by SFTP, or moved to the trash
      await keepIcon(sql, server_id, icon.png === null ? null : Buffer.from(icon.png, 'base64'));
      return { ...icon, pack: await packOf(actor, server_id) };
    }),
    'icon.change': asUser(async (actor, { server_id, png, etag: if_etag }) => {
      const server = await serverForFiles(context, actor, server_id, 'change', whyNotHave.options);
      assertAllowed(whyNotIcon(Buffer.from(png, 'base64')), { px: icon_px });
      const written = { path: icon_path, content: png, if_etag };
      const { etag } = await askFiles(context, server, 'write_text', written);
      await sql.begin(async (tx) => {
        await keepIcon(tx, server_id, Buffer.from(png, 'base64'));
        await markRestartDue(tx, server_id);
        await recordEvent(tx, { name: 'server.icon_changed', actor_id: actor.user_id, server_id });
      });
      return { png, etag, pack: await packOf(actor, server_id) };
    }),
    'debug.bundle': asUser((actor, { server_id }) => makeDebugBundle(context, actor, server_id)),
  };
}
