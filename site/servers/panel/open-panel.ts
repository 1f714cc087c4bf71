import type { NoticeView } from '#db/notices/view.ts';
import type { ServerView } from '#db/servers/view.ts';
import type { Events, Message, Reply } from '../shared/request.ts';
import type { Refusal } from '../shared/socket.ts';
import { connectPanel, type Panel } from './connection.ts';
import { $notices, $refused, $server } from './panel.store.ts';
import { type PanelTabId, panelTabs } from './tabs.ts';

/** The one connection of a panel's page. */

let panel: Panel | null = null;

/** Opens the connection of the panel of `first` with the rooms of its tab; call once per page. */
export function openPanel(first: ServerView, notices: readonly NoticeView[], tab: PanelTabId): void {
  if (panel) return;
  $server.set(first);
  $notices.set(notices);
  panel = connectPanel(first.id, panelTabs[tab].rooms);
}

export const openedPanel = (): Panel | null => panel;

/** Message of a request about the server of this page. */
type PanelMessage<E extends Events> = Omit<Message<E>, 'server_id'>;
type Result<E extends Events> = Extract<Reply<E>, { ok: true }>;
/** The request got no answer. The code is the browser's own. */
const lost: Refusal = { error: 'line_lost', description: '' };

/** Sends a request about the server of this page. Gives its result, or the refusal. */
export async function sendToPanel<E extends Events>(
  event: E,
  message: PanelMessage<E>,
): Promise<Result<E> | ({ ok: false } & Refusal)> {
  const complete = { ...message, server_id: panel?.id } as Message<E>;
  const answer = await panel?.request(event, complete).catch(() => null);
  return (answer as Result<E> | null | undefined) ?? { ok: false, ...lost };
}

/**
 * Sends a request about the server of this page. Gives its result, or null after a refusal, which is displayed until the
 * next success.
 */
export async function requestFromPanel<E extends Events>(
  event: E,
  message: PanelMessage<E>,
): Promise<Result<E> | null> {
  if (!panel) return null;
  const answer = await sendToPanel(event, message);
  const { ok, error = '', description = '' } = answer as { ok: boolean } & Partial<Refusal>;
  $refused.set(ok ? null : { error, description });
  return ok ? (answer as Result<E>) : null;
}
