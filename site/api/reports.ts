import type { Api } from './route/types.ts';

/** Reports of projects, versions and users. Source: api-v2 §10; api-behaviours §8. */
export function reportRoutes(_api: Api, _version: 2 | 3): void {}
