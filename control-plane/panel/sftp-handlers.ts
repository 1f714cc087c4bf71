import { sftpOf } from '#db/hosting/servers/sftp/read.ts';
import type { SftpView } from '#db/hosting/servers/sftp/view.ts';
import {
  addSftpKey,
  newSftpPassword,
  removeSftpKey,
  setSftpPassword,
} from '#db/hosting/servers/sftp/write.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { sftpHost } from '#db/platform/runtime/settings/hosting.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import { openHostKey } from '../sftp/host-key.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type SftpHandlers = { [E in keyof All as E extends `sftp.${string}` ? E : never]: All[E] };

/** The handlers of requests about how the user signs in by SFTP. All refuse `sftp_off`, and as `whyNotHave.files` says. */
export function sftpHandlers({ context }: PanelServices, asUser: AsUser): SftpHandlers {
  const { sql, now } = context;
  async function view(actor: Actor, server_id: string): Promise<{ sftp: SftpView }> {
    const { SFTP_PORT: port, DATA_DIR } = context.settings;
    const own = await sftpOf(sql, actor, server_id, now());
    if (port === undefined) throw new Refused('sftp_off');
    const host = sftpHost(context.settings);
    return { sftp: { host, port, ...own, host_fingerprint: openHostKey(DATA_DIR).fingerprint } };
  }
  return {
    'sftp.show': asUser((actor, { server_id }) => view(actor, server_id)),
    'sftp.set_password': asUser(async (actor, { server_id }) => {
      await view(actor, server_id);
      const { password, hash } = await newSftpPassword();
      await sql.begin((tx) => setSftpPassword(tx, actor, { server_id, hash }, now()));
      return { ...(await view(actor, server_id)), password };
    }),
    'sftp.add_key': asUser(async (actor, { server_id, ...key }) => {
      await view(actor, server_id);
      const added = await sql.begin((tx) => addSftpKey(tx, actor, { server_id, ...key }, now()));
      return { ...(await view(actor, server_id)), key_id: added.id };
    }),
    'sftp.remove_key': asUser(async (actor, { server_id, key_id }) => {
      await sql.begin((tx) => removeSftpKey(tx, actor, { server_id, key_id }, now()));
      return await view(actor, server_id);
    }),
  };
}
