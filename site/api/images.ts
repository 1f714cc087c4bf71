import type { Api } from './route/types.ts';

/** Images of texts. Source: api-v3 §3.9; api-behaviours §15. */
export function imageRoutes(_api: Api): void {}
