/** Operations of this round that are not served yet; must be empty at the end of it. */
export const pending: readonly string[] = [
  'POST /analytics/view',
  'POST /analytics/playtime',
  'DELETE /v3/project/{id}',
  'GET /v3/projects_random',
  'POST /v3/project',
  'GET /v3/project/{id}/dependencies',
  'GET /v3/project/{id}/disclosures',
  'PATCH /v3/project/{id}/disclosures',
];
