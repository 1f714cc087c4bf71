import { panelPrefixes } from '../../../shared/panel-prefixes.ts';

/** What the page of facts says: the panel around it, SFTP, names of loaders and regions. */
export const infoPrefixes = [
  ...panelPrefixes,
  ...(['server_info.', 'server_files.sftp', 'buying.region_'] as const),
  ...(['loader.vanilla', 'tags.fabric', 'tags.forge', 'tags.neoforge', 'tags.paper'] as const),
  ...(['tags.purpur', 'tags.quilt'] as const),
] as const;
