import { panelPrefixes } from '../../../shared/panel-prefixes.ts';

/** What the page of facts says: the panel around it, SFTP, names of regions. */
export const infoPrefixes = [
  ...panelPrefixes,
  ...(['server_info.', 'server_files.sftp', 'buying.region_'] as const),
] as const;
