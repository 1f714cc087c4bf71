import { sizeTexts } from '../../../platform/text/bytes.ts';
import { panelPrefixes } from '../../shared/panel-prefixes.ts';

/** What the backups of a server say: the panel around them, sizes, and why a rule or the node refuses something. */
export const backupsPrefixes = [
  ...panelPrefixes,
  ...sizeTexts,
  ...([
    'backup.',
    'error.backup',
    'error.disk_full',
    'error.operation_failed',
    'error.agent_outdated',
  ] as const),
] as const;
