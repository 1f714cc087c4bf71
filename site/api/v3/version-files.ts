import type { Api } from '../route/types.ts';

/** Versions by the hashes of their files, with v3 shapes. Source: api-v3 §3.4. */
export function versionFileRoutesV3(_api: Api): void {}
