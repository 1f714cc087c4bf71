import type { Api } from './route/types.ts';

/** Threads and their messages. Source: api-v2 §10; api-behaviours §8. */
export function threadRoutes(_api: Api, _version: 2 | 3): void {}
