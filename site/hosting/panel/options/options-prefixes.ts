import { panelPrefixes } from '../../shared/panel-prefixes.ts';

/** What `OptionsLoading` says. */
export const optionsLoadingTexts = [
  'server_options.load',
  'server_options.reload',
  'server_options.offline',
] as const;

/** What the pages of properties and start-up say: the panel around them, and their own texts. */
export const optionsPrefixes = [...panelPrefixes, 'server_options.'] as const;
