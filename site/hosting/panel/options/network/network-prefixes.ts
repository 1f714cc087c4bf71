import { panelPrefixes } from '../../../shared/panel-prefixes.ts';

/** What the page of ports and the domain says: the panel around it, and its own texts. */
export const networkPrefixes = [
  ...panelPrefixes,
  ...(['server_network.', 'server_options.load', 'server_options.reload'] as const),
  'server_options.offline',
] as const;
