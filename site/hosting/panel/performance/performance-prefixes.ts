import { panelPrefixes } from '../../shared/panel-prefixes.ts';

/** What the page of a server's figures says: the panel around it, and its own texts. */
export const performancePrefixes = [...panelPrefixes, 'server_figures.'] as const;
