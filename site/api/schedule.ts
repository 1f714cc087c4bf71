import type { Api } from './route/types.ts';

/** Release of a project or a version at a stored time. Source: api-behaviours §17 (13). */
export function scheduleRoutes(_api: Api): void {}
