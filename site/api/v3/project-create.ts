import type { Api } from '../route/types.ts';

/** Creation and deletion of projects in v3. Source: api-v3 §3.1, §3.2. */
export function projectCreateRoutes(_api: Api): void {}
