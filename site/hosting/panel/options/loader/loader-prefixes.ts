import { panelPrefixes } from '../../../shared/panel-prefixes.ts';
import { optionsLoadingTexts } from '../options-prefixes.ts';

/** What the loader of a server says: the panel around it, and why something failed. */
export const loaderPrefixes = [
  ...panelPrefixes,
  ...optionsLoadingTexts,
  ...(['loader.', 'backup.when', 'error.change_', 'error.content_', 'error.backup'] as const),
  ...(['error.disk_full', 'error.operation_failed', 'error.agent_outdated'] as const),
] as const;
