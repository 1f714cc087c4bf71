import type { Api } from '../route/types.ts';

/** What a project discloses. Source: api-v3 §2.7, §3.1. */
export function disclosureRoutes(_api: Api): void {}
