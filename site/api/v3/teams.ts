import type { Api } from '../route/types.ts';

/** Teams with v3 shapes. Source: api-v3 §3.9. */
export function teamRoutesV3(_api: Api): void {}
