import type { Api } from '../../platform/route/types.ts';
import { applicationRoutes } from './applications.ts';
import { authorizationRoutes } from './authorizations.ts';
import { authorizeRoutes } from './authorize.ts';
import { tokenRoutes } from './token.ts';

/** Signing in to other apps with an account of ours; below /v3 and /_internal alike. Source: api-v3 §3.11. */
export function oauthRoutes(api: Api): void {
  authorizeRoutes(api);
  tokenRoutes(api);
  applicationRoutes(api);
  authorizationRoutes(api);
}
