import type { Api } from '../route/types.ts';

/** Organizations. Source: api-v3 §3.9. */
export function organizationRoutes(_api: Api): void {}
