import type { Api } from '../route/types.ts';

/** Tags, games and loader fields of v3. Source: api-v3 §3.5. */
export function tagRoutesV3(_api: Api): void {}
