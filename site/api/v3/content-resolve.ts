import type { Api } from '../route/types.ts';

/** Dependency planning for launchers. Source: api-v3 §3.10. */
export function contentResolveRoutes(_api: Api): void {}
