import type { Api } from '../route/types.ts';

/** Versions with v3 shapes. Source: api-v3 §3.4. */
export function versionRoutesV3(_api: Api): void {}
