/** What the list of servers and the panel say: their own texts and the refusals that the control plane answers with. */
export const panelPrefixes = [
  'servers.',
  'error.authentication_required',
  'error.command_',
  'error.notice_',
  'error.operation_',
  'error.scope_missing',
  'error.server_',
  'error.token_invalid',
  'error.too_fast',
] as const;
