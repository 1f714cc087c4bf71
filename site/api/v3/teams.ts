import type { Api } from '../route/types.ts';
import { teamEditRoutes } from '../team-edits.ts';

/** Teams with v3 shapes. Source: api-v3 §3.9. */
export function teamRoutesV3(api: Api): void {
  teamEditRoutes(api);
}
