import type { Api } from './route/types.ts';

/** Notifications of the caller. Source: api-v2 §8; api-behaviours §9. */
export function notificationRoutes(_api: Api, _version: 2 | 3): void {}
