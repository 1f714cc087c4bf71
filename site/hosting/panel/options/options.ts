import type { MessageKey } from '#content/keys.ts';
import { whyNotChange, whyNotHave, type whyNotSee } from '#db/hosting/servers/rules.ts';

/** One page below the tab `options` of a server. */
interface OptionPage {
  /** Its path below `/servers/manage/ID`. */
  path: string;
  /** Message key of its name. */
  label: MessageKey;
  /** Why an actor may not open it, or null; without that it is not shown. */
  whyNot: typeof whyNotSee;
}

/** The pages of the options of a server, in the order shown: a new page is one more entry. */
export const optionPages = {
  general: { path: '/options', label: 'servers.option_general', whyNot: whyNotHave.options },
  loader: { path: '/options/loader', label: 'servers.option_loader', whyNot: whyNotHave.options },
  properties: {
    path: '/options/properties',
    label: 'servers.option_properties',
    whyNot: whyNotHave.options,
  },
  startup: { path: '/options/startup', label: 'servers.option_startup', whyNot: whyNotHave.options },
  sleep: { path: '/options/sleep', label: 'servers.option_sleep', whyNot: whyNotHave.options },
  network: { path: '/options/network', label: 'servers.option_network', whyNot: whyNotHave.options },
  alerts: { path: '/options/alerts', label: 'servers.option_alerts', whyNot: whyNotHave.options },
  info: { path: '/options/info', label: 'servers.option_info', whyNot: whyNotHave.options },
  preferences: {
    path: '/options/preferences',
    label: 'servers.option_preferences',
    whyNot: whyNotHave.options,
  },
  billing: { path: '/options/billing', label: 'servers.billing', whyNot: whyNotChange },
} as const satisfies Record<string, OptionPage>;

export type OptionPageId = keyof typeof optionPages;
