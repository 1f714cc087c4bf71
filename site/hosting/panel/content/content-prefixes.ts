import { filesPrefixes } from '../../shared/panel-prefixes.ts';

/** Why a change of content failed. */
export const changeErrors = [
  ...(['error.content_', 'error.change_', 'error.loader_', 'error.backup', 'error.transfer'] as const),
  ...(['error.disk_full', 'error.operation_failed', 'error.agent_outdated'] as const),
] as const;

/** What the content of a server says: the panel around it, uploads, and why something is refused. */
export const contentPrefixes = [...filesPrefixes, 'server_content.', ...changeErrors] as const;
