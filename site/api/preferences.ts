import type { Api } from './route/types.ts';

/** Preferences of a user. Source: api-v3 §3.7. */
export function preferenceRoutes(_api: Api): void {}
