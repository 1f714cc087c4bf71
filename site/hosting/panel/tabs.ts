import type { MessageKey } from '#content/keys.ts';
import type { Room } from '#control/protocol/browser.ts';
import { whyNotChange, whyNotHave, whyNotSee } from '#db/hosting/servers/rules.ts';

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
  players: {
    path: '/players',
    label: 'servers.tab_players',
    rooms: ['state', 'stats', 'tasks'],
    whyNot: whyNotSee,
  },
  files: { path: '/files', label: 'servers.files', rooms: ['state', 'tasks'], whyNot: whyNotHave.files },
  backups: {
    path: '/backups',
    label: 'servers.backups',
    rooms: ['state', 'tasks'],
    whyNot: whyNotSee,
  },
  schedules: { path: '/schedules', label: 'servers.schedules', rooms: ['state', 'tasks'], whyNot: whyNotSee },
  performance: {
    path: '/performance',
    label: 'servers.performance',
    rooms: ['state', 'stats', 'tasks'],
    whyNot: whyNotSee,
  },
  access: { path: '/access', label: 'servers.access', rooms: ['state'], whyNot: whyNotSee },
  options: {
    path: '/options',
    label: 'servers.options',
    rooms: ['state', 'tasks'],
    whyNot: whyNotHave.options,
  },
  billing: {
    path: '/options/billing',
    label: 'servers.billing',
    rooms: ['state'],
    whyNot: whyNotChange,
  },
} as const satisfies Record<string, PanelTab>;

export type PanelTabId = keyof typeof panelTabs;
export const panelTabIds = (Object.keys(panelTabs) as PanelTabId[]).filter((id) => id !== 'billing');

/** The tabs of an order whose server does not exist yet. */
export const orderTabIds: readonly PanelTabId[] = ['overview', 'billing'];
