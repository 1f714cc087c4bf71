import { serverLoaderNames } from '#db/hosting/server-kinds/data/loaders.ts';
import { loaderNameKey } from './loader-name.ts';

/** What the list of servers and the panel say: their own texts, and why a rule does not allow an action now. */
export const panelPrefixes = [
  'servers.',
  ...serverLoaderNames.map(loaderNameKey),
  'error.command_',
  'error.server_',
] as const;
