import type { Api } from './route/types.ts';

/** Changes of a profile, its icon, and deletion of an account. Source: api-v2 §7; api-v3 §3.7. */
export function userEditRoutes(_api: Api, _version: 2 | 3): void {}
