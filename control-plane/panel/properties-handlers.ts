import { changePropertiesAside, readPropertiesAside } from '#db/hosting/servers/properties/aside.ts';
import { decodeProperties, properties_path } from '#db/hosting/servers/properties/file.ts';
import { whyNotProperties } from '#db/hosting/servers/properties/rules.ts';
import { type PropertyView, propertyViews } from '#db/hosting/servers/properties/view.ts';
import { markRestartDue } from '#db/hosting/servers/restart-due.ts';
import { whyNotHave } from '#db/hosting/servers/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import { askFiles, type ServerOnNode } from '../agents/ask-files.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import { serverForFiles } from '../transfers/file-access.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type PropertiesHandlers = {
  [E in keyof All as E extends `properties.${string}` ? E : never]: All[E];
};

interface Read {
  bytes: Uint8Array;
  etag: string;
}
const viewOf = async ({ bytes, etag }: Read): Promise<{ properties: PropertyView[]; etag: string }> => ({
  properties: propertyViews(await readPropertiesAside(decodeProperties(bytes))),
  etag,
});

/** The handlers of requests about `server.properties`. */
export function propertiesHandlers({ context }: PanelServices, asUser: AsUser): PropertiesHandlers {
  const { sql } = context;

  /** The file; empty, with the etag `''`, before the game has written it. */
  async function read(server: ServerOnNode): Promise<Read> {
    try {
      const { content, etag } = await askFiles(context, server, 'read_text', { path: properties_path });
      return { bytes: Buffer.from(content, 'base64'), etag };
    } catch (error) {
      if (error instanceof Refused && error.code === 'file_not_found')
        return { bytes: new Uint8Array(), etag: '' };
      throw error;
    }
  }

  return {
    'properties.show': asUser(async (actor, { server_id }) =>
      viewOf(await read(await serverForFiles(context, actor, server_id, 'read', whyNotHave.options))),
    ),
    'properties.change': asUser(async (actor, { server_id, etag, values }) => {
      const server = await serverForFiles(context, actor, server_id, 'change', whyNotHave.options);
      const refused = whyNotProperties(values);
      if (refused) throw new Refused('property_invalid', refused);
      const before = await read(server);
      if (before.etag !== etag) throw new Refused('file_changed', { path: properties_path });
      const changes = new Map(Object.entries(values));
      const bytes = await changePropertiesAside({ bytes: before.bytes, changes });
      const written = {
        path: properties_path,
        content: Buffer.from(bytes).toString('base64'),
        if_etag: etag,
      };
      const after = await askFiles(context, server, 'write_text', written);
      await sql.begin(async (tx) => {
        await markRestartDue(tx, server_id);
        const data = { keys: Object.keys(values).slice(0, 20) };
        const name = 'server.properties_changed';
        await recordEvent(tx, { name, actor_id: actor.user_id, server_id, data });
      });
      return await viewOf({ bytes, etag: after.etag });
    }),
  };
}
