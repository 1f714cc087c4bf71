import { panelPrefixes } from '../../shared/panel-prefixes.ts';

/** What the pages of properties and start-up say: the panel around them, and their own texts. */
export const optionsPrefixes = [...panelPrefixes, 'server_options.'] as const;
