import type { Api } from './route/types.ts';

/** Notes of moderators about users and organizations. Source: api-v3 §3.7. */
export function moderationNoteRoutes(_api: Api): void {}
