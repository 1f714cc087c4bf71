import type { Api } from '../route/types.ts';

/** How many projects, organizations and collections the caller may have. Source: api-v3 §3.7. */
export function limitRoutes(_api: Api): void {}
