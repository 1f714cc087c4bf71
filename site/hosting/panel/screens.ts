import type { MessageKey } from '#content/keys.ts';
import type { Messages } from '#content/messages.ts';
import { whyNotHave, type whyNotSee } from '#db/hosting/servers/rules.ts';
import { optionPages } from './options/options.ts';
import { panelTabs } from './tabs.ts';

/** One page of a server's panel: a tab, a page of its options, or one below a tab. */
interface PanelScreen {
  /** Its path below `/servers/manage/ID`. */
  path: string;
  /** Message key of its name. */
  label: MessageKey;
  /** Why an actor may not open it, or null. */
  whyNot: typeof whyNotSee;
}

/** Every page of a server's panel: its rule and its name. */
export const panelScreens = {
  ...panelTabs,
  ...optionPages,
  activity: { path: '/access/activity', label: 'server_access.activity', whyNot: whyNotHave.people },
} as const satisfies Record<string, PanelScreen>;

export type PanelScreenId = keyof typeof panelScreens;

/** The title of a page of a server's panel: `Files · Willow Bay - Cairn`. `name`: of the server, or of its order. */
export const panelTitle = ({ t }: Pick<Messages, 't'>, screen: PanelScreenId, name: string): string =>
  t('servers.panel_title', { screen: t(panelScreens[screen].label), name, site: 'Cairn' });
