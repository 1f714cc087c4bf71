import type { MessageKey } from '#content/messages.ts';
import type { Environment } from '#db/catalogue/tags/rules.ts';

/** The label of an environment; null for the unknown one. */
const environmentLabels: Record<Environment, MessageKey | null> = {
  client_and_server: 'project.environment_client_and_server',
  singleplayer_only: 'project.environment_singleplayer_only',
  client_only: 'project.environment_client_only',
  client_only_server_optional: 'project.environment_client_only_server_optional',
  server_only: 'project.environment_server_only',
  dedicated_server_only: 'project.environment_dedicated_server_only',
  server_only_client_optional: 'project.environment_server_only_client_optional',
  client_or_server: 'project.environment_client_or_server',
  client_or_server_prefers_both: 'project.environment_client_or_server_prefers_both',
  unknown: null,
};

/** The message keys for these environments, without unknown ones. */
export const environmentKeys = (names: readonly string[]): MessageKey[] =>
  names.flatMap((name) => environmentLabels[name as Environment] ?? []);
