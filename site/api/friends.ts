import type { Api } from './route/types.ts';

/** Friends and blocks. Source: api-v3 §3.8. */
export function friendRoutes(_api: Api): void {}
