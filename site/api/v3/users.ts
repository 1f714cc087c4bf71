import type { Api } from '../route/types.ts';

/** Users with v3 shapes. Source: api-v3 §3.7. */
export function userRoutesV3(_api: Api): void {}
