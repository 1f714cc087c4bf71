import { panelPrefixes } from '../../../shared/panel-prefixes.ts';

/** What the page of preferences says: the panel around it, and its own texts. */
export const preferencesPrefixes = [...panelPrefixes, 'server_preferences.'] as const;
