import type { ServerView } from '#db/hosting/servers/view.ts';
import { panelPrefixes } from '../shared/panel-prefixes.ts';
import type { PanelScreenId } from './screens.ts';
import type { PanelTabId } from './tabs.ts';

/** What is shown of a server to somebody who sees it and lacks the right to one of its pages. */
export interface RefusedPanel extends Pick<ServerView, 'id' | 'name' | 'icon'> {
  /** The tabs that they may open. */
  tabs: readonly PanelTabId[];
  /** The page that they may not open. */
  screen: PanelScreenId;
}

/** What its page says: the panel's texts, and the names of all pages. */
export const refusedPrefixes = [...panelPrefixes, 'server_access.activity'] as const;
