import { panelPrefixes } from '../../../shared/panel-prefixes.ts';
import { optionsLoadingTexts } from '../options-prefixes.ts';

/** What the general options say: the panel around them, and why a name or an icon is refused. */
export const generalPrefixes = [
  ...panelPrefixes,
  ...optionsLoadingTexts,
  ...(['server_general.', 'error.subdomain', 'error.file_changed', 'error.disk_full'] as const),
] as const;
