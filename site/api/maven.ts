import type { Api } from './route/types.ts';

/** Maven repository of the versions of projects. Source: api-v2 §12. */
export function mavenRoutes(_api: Api): void {}
