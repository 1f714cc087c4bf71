import type { MessageKey } from '#content/keys.ts';

/** One page below the tab `options` of a server. */
interface OptionPage {
  /** Its path below `/servers/manage/ID`. */
  path: string;
  /** Message key of its name. */
  label: MessageKey;
}

/** The pages of the options of a server, in the order shown: a new page is one more entry. */
export const optionPages = {
  loader: { path: '/options/loader', label: 'servers.option_loader' },
  properties: { path: '/options/properties', label: 'servers.option_properties' },
  startup: { path: '/options/startup', label: 'servers.option_startup' },
  sleep: { path: '/options/sleep', label: 'servers.option_sleep' },
  billing: { path: '/options/billing', label: 'servers.billing' },
} as const satisfies Record<string, OptionPage>;

export type OptionPageId = keyof typeof optionPages;
