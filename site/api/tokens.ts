import { z } from 'zod';
import { tokensOf } from '#db/accounts/tokens/read.ts';
import { newTokenShape, tokenEditShape, tokenShape } from '#db/accounts/tokens/shape.ts';
import { createToken, deleteToken, editToken } from '#db/accounts/tokens/write.ts';
import { scopesOfNumber } from '#db/platform/people/scopes/rules.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const tag = 'tokens';
const params = z.object({ id: z.string() });

/** Personal access tokens of the caller; below /v2 and /_internal alike. Source: api-v3 §4.2. */
export function tokenRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/pat',
    summary: 'Your personal access tokens, the newest first',
    tag,
    needs: ['PAT_READ'],
    answer: z.array(tokenShape),
    handle: async ({ sql, actor }) => await tokensOf(sql, actor.user_id),
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/pat',
    summary: 'Create a personal access token; the answer shows it once',
    tag,
    needs: ['PAT_CREATE'],
    body: newTokenShape,
    answer: tokenShape,
    handle: async ({ services, body: { name, scopes, expires }, actor: by, now, begin }) => {
      const wanted = { name, scopes: scopesOfNumber(scopes), expires: new Date(expires) };
      const { user_id } = by;
      return await begin((tx) => createToken(tx, { ...wanted, user_id, now, mailing: services, by }));
    },
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/pat/{id}',
    summary: 'Change one of your tokens; what is absent stays',
    tag,
    needs: ['PAT_WRITE'],
    params,
    body: tokenEditShape,
    handle: async ({ params: { id }, body: { name, scopes, expires }, actor: by, now, begin }) => {
      const edit = {
        ...(name !== undefined && { name }),
        ...(scopes !== undefined && { scopes: scopesOfNumber(scopes) }),
        ...(expires !== undefined && { expires: new Date(expires) }),
      };
      await begin((tx) => editToken(tx, { id, edit, now, by }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/pat/{id}',
    summary: 'Delete one of your tokens',
    tag,
    needs: ['PAT_DELETE'],
    params,
    handle: async ({ params: { id }, actor: { user_id }, begin }) => {
      await begin((tx) => deleteToken(tx, { id, user_id }));
      return undefined;
    },
  });
}
