import type { NoticeView } from '#db/hosting/notices/view.ts';
import type { ServerAccess } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { type ApiResult, offline } from '../../../platform/browser/api-client.ts';
import type { Events, Message, Result } from '../../shared/request.ts';
import { type PanelTabId, panelTabs } from '../tabs.ts';
import { connectPanel, type Panel } from './connection.ts';
import { $access, $notices, $server } from './panel.store.ts';

/** The one connection of a panel's page. */

let panel: Panel | null = null;

/** Opens the connection of the panel of `first` with the rooms of its tab; call once per page. */
export function openPanel(
  first: ServerView,
  { access, notices, tab }: { access: ServerAccess; notices: readonly NoticeView[]; tab: PanelTabId },
): void {
  if (panel) return;
  $server.set(first);
  $access.set(access);
  $notices.set(notices);
  panel = connectPanel(first.id, panelTabs[tab].rooms);
}

/** Opens the connection to a server on a page that is no panel and does not know it yet; call once per page. */
export function openConnection(id: string): void {
  panel ??= connectPanel(id, panelTabs.content.rooms);
}

export const openedPanel = (): Panel | null => panel;

/** Message of a request about the server of this page. */
export type PanelMessage<E extends Events> = Omit<Message<E>, 'server_id'>;

/** Sends a request about the server of this page. */
export async function requestFromPanel<E extends Events>(
  event: E,
  message: PanelMessage<E>,
): Promise<ApiResult<Result<E>>> {
  if (!panel) return offline;
  return await panel.request(event, { ...message, server_id: panel.id } as Message<E>);
}
