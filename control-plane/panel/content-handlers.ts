import {
  assertRevision,
  type FileChange,
  installChange,
  removeChange,
  toggleChange,
} from '#db/hosting/servers/changes/content.ts';
import { packInstall, planPack } from '#db/hosting/servers/changes/pack-plan.ts';
import { changeViews } from '#db/hosting/servers/changes/read.ts';
import { requestedChange, requestServerChange } from '#db/hosting/servers/changes/request.ts';
import { planInstall, planUpdates } from '#db/hosting/servers/content/asked.ts';
import { comparePack } from '#db/hosting/servers/content/compare.ts';
import { contentItems, updatesOf } from '#db/hosting/servers/content/installed.ts';
import { type PackServer, packVersionFor, packViewOf } from '#db/hosting/servers/content/pack-view.ts';
import type { Planning } from '#db/hosting/servers/content/plan.ts';
import { contentTypesOf } from '#db/hosting/servers/content/rules.ts';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Handlers } from '../protocol/ack.ts';
import type { panelRequests } from '../protocol/browser.ts';
import { packOf, packTarget } from './pack-content.ts';
import { serverContent } from './server-content.ts';
import type { AsUser, PanelServices } from './services.ts';
import type { PanelConnection } from './subscriptions.ts';

type All = Handlers<typeof panelRequests, PanelConnection>;
type ContentHandlers = { [E in keyof All as E extends `content.${string}` ? E : never]: All[E] };

interface Requested {
  server_id: string;
  op_id: string;
}

/**
 * The handlers of requests about content: the agent lists the files, the catalogue knows them, and a change is made in steps. The
 * `revision` of what the user saw goes with a change to the agent, so that two people cannot overwrite each other.
 */
export function contentHandlers({ context }: PanelServices, asUser: AsUser): ContentHandlers {
  const { sql, now, settings, storage } = context;

  /** Begins a change once: the same request again gives the one that it began, whatever the files are by now. */
  const change = async (
    actor: Actor,
    { server_id, op_id, kind }: Requested & { kind: FileChange['kind'] },
    make: () => Promise<FileChange>,
  ): Promise<{ change: ChangeView }> => {
    const before = await requestedChange(sql, actor, { server_id, op_id, kind }, now());
    if (before) return { change: before };
    const request = { server_id, op_id, ...(await make()) };
    return { change: await sql.begin((tx) => requestServerChange(tx, actor, request, settings, now())) };
  };
  /** A change of the content that the user saw. */
  const changeSeen = (
    actor: Actor,
    message: Requested & { revision: string; kind: FileChange['kind'] },
    make: (planning: Planning) => FileChange | Promise<FileChange>,
  ) =>
    change(actor, message, async () => {
      const { planning } = await serverContent(context, actor, message.server_id, 'change');
      assertRevision(planning.installed, message.revision);
      return await make(planning);
    });

  return {
    'content.list': asUser(async (actor, { server_id }) => {
      const { planning, pack, view } = await serverContent(context, actor, server_id, 'read');
      const { installed, target } = planning;
      const updates = await updatesOf(sql, installed.files, target);
      return {
        content: contentItems(installed.files, updates, pack),
        ...{ more: installed.more, revision: installed.revision, types: contentTypesOf(target.loader) },
        pack: await packViewOf(sql, settings, { record: pack, server: view }, actor),
        changes: await changeViews(sql, server_id),
      };
    }),
    'content.plan': asUser(async (actor, { server_id, items }) => {
      const { planning } = await serverContent(context, actor, server_id, 'read');
      return { plan: await planInstall(sql, planning, items) };
    }),
    'content.install': asUser((actor, { versions, ...message }) =>
      changeSeen(actor, { ...message, kind: 'install' }, (planning) => {
        const choices = versions.map((version_id) => ({ version_id, path: null }));
        return installChange(sql, planning, 'install', choices);
      }),
    ),
    'content.update_plan': asUser(async (actor, { server_id, paths }) => {
      const { planning } = await serverContent(context, actor, server_id, 'read');
      return { plan: await planUpdates(sql, planning, paths) };
    }),
    'content.update': asUser((actor, { updates, ...message }) =>
      changeSeen(actor, { ...message, kind: 'update' }, (planning) =>
        installChange(sql, planning, 'update', updates),
      ),
    ),
    'content.toggle': asUser((actor, { paths, enabled, ...message }) =>
      changeSeen(actor, { ...message, kind: 'toggle' }, (planning) => toggleChange(planning, paths, enabled)),
    ),
    'content.remove': asUser((actor, { paths, ...message }) =>
      changeSeen(actor, { ...message, kind: 'remove' }, (planning) => removeChange(planning, paths)),
    ),
    'content.pack_plan': asUser(async (actor, { server_id, project_id, version_id }) => {
      const choose = (server: PackServer) => packVersionFor(sql, actor, { project_id, version_id }, server);
      const { pack, target } = await packTarget(context, actor, { server_id, choose });
      return { plan: await planPack(sql, { settings, storage, actor }, pack, target) };
    }),
    'content.pack_install': asUser((actor, { version_id, backup, stop, revision, ...message }) =>
      change(actor, { ...message, kind: 'modpack' }, async () => {
        const { server_id } = message;
        const choose = async () => version_id;
        const { pack, target, before } = await packTarget(context, actor, { server_id, choose });
        assertRevision(target.listed, revision);
        const from = before?.project.id === pack.version.project.id ? before.version.version_number : null;
        const made = await packInstall(sql, { settings, storage, actor }, { pack, from }, target);
        return { ...made, backup, stop };
      }),
    ),
    'content.compare': asUser(async (actor, { server_id, version_id }) => {
      const { planning } = await serverContent(context, actor, server_id, 'read');
      return { comparison: comparePack(await packOf(context, actor, version_id), planning.installed.files) };
    }),
  };
}
