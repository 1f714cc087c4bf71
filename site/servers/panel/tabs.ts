import type { MessageKey } from '#content/keys.ts';
import type { Room } from '#control/protocol/browser.ts';
import { whyNotSee } from '#db/servers/rules.ts';

/** One tab of a server's panel. Its page is the route at its path; it loads only its own component and CSS. */
interface PanelTab {
  /** Its path below `/servers/manage/ID`. */
  path: string;
  /** Message key of its name. */
  label: MessageKey;
  /** Rooms of the server that its page joins; none when it opens no connection. */
  rooms: readonly Room[];
  /** Why an actor may not open it, or null. Without permission the tab is not shown. */
  whyNot: typeof whyNotSee;
}

/** The tabs of a server's panel, in the order shown; `billing` is one of the options of a server, and a tab of an order. */
export const panelTabs = {
  overview: {
    path: '',
    label: 'servers.overview',
    rooms: ['state', 'console', 'stats', 'tasks'],
    whyNot: whyNotSee,
  },
  content: {
    path: '/content',
    label: 'servers.content',
    rooms: ['state', 'tasks'],
    whyNot: whyNotSee,
  },
  files: { path: '/files', label: 'servers.files', rooms: ['state', 'tasks'], whyNot: whyNotSee },
  backups: {
    path: '/backups',
    label: 'servers.backups',
    rooms: ['state', 'tasks'],
    whyNot: whyNotSee,
  },
  options: {
    path: '/options',
    label: 'servers.options',
    rooms: ['state', 'tasks'],
    whyNot: whyNotSee,
  },
  billing: {
    path: '/options/billing',
    label: 'servers.billing',
    rooms: ['state'],
    whyNot: whyNotSee,
  },
} as const satisfies Record<string, PanelTab>;

export type PanelTabId = keyof typeof panelTabs;
export const panelTabIds = (Object.keys(panelTabs) as PanelTabId[]).filter((id) => id !== 'billing');

/** The tabs of an order whose server does not exist yet. */
export const orderTabIds: readonly PanelTabId[] = ['overview', 'billing'];
