import type { Api } from './route/types.ts';

/** Views and playtime that clients report. Source: api-v2 §14. */
export function usageRoutes(_api: Api): void {}
