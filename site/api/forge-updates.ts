import type { Api } from './route/types.ts';

/** The update check of Forge and NeoForge. Source: api-v2 §13. */
export function forgeUpdateRoutes(_api: Api): void {}
