import type { Api } from './route/types.ts';

/** PATCH of several projects at once. Source: api-v2 §4.3; api-v3 §3.1. */
export function bulkEditRoutes(_api: Api, _version: 2 | 3): void {}
