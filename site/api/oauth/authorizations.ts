import { z } from 'zod';
import { authorizationsOf } from '#db/accounts/oauth/read.ts';
import { authorizationShape } from '#db/accounts/oauth/shape.ts';
import { revokeAuthorization } from '#db/accounts/oauth/write.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'oauth';

/** What users let apps do. Source: api-v3 §3.11. */
export function authorizationRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/oauth/authorizations',
    summary: 'The apps that you authorized, the newest first',
    tag,
    needs: ['SESSION_ACCESS'],
    answer: z.array(authorizationShape),
    handle: async ({ sql, actor }) => await authorizationsOf(sql, actor.user_id),
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/oauth/authorizations',
    summary: 'Revoke an authorization; the tokens of the app end',
    tag,
    needs: ['SESSION_ACCESS'],
    query: z.object({ client_id: idShape }),
    empty_status: 200,
    handle: async ({ query: { client_id }, actor, begin }) => {
      await begin((tx) => revokeAuthorization(tx, actor, client_id));
      return undefined;
    },
  });
}
