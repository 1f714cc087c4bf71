/**
 * Operations of the reference that other issues build, or that nobody builds in this round, by the subject: exact
 * operations, or the beginnings of paths (with a slash at their end). docs/spec/README.md lists them in words.
 */
export const owners: Record<string, readonly string[]> = {
  'People: accounts, sessions, tokens, applications': ['GET /_internal/launcher_socket'],
  // api-v2 §8: only the old document has them, the server answers 404; `/v3/payout` took their place
  'Nobody: 404 in the original too': ['GET /v2/user/{id}/payouts', 'POST /v2/user/{id}/payouts'],
  'Nobody in this round': [
    'PUT /v3/project',
    'POST /v3/project/{id}',
    '/_internal/server-ping/',
    '/_internal/search-management/',
    'GET /_internal/affiliate',
    'PUT /_internal/affiliate',
    '/_internal/affiliate/',
    '/_internal/privacy/',
    '/_internal/block/',
    'POST /_internal/external_notifications',
    'DELETE /_internal/external_notifications',
    '/_internal/external_notifications/',
    '/_internal/medal/',
    '/_internal/campaign/',
    '/_internal/mural/',
    '/_internal/gotenberg/',
  ],
};

/** Whether `operation` is the given one or below the given path. */
export const isCovered = (operation: string, given: string): boolean =>
  given.endsWith('/') ? operation.slice(operation.indexOf(' ') + 1).startsWith(given) : operation === given;
