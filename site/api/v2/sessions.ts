import { Refused } from '#db/errors.ts';
import { refreshSession } from '#db/people/session.ts';
import { sessionShape } from '#db/people/shape.ts';
import { publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';

/** Refreshing a session. Listing and ending sessions is not in this version of the API yet. Source: api-v3 §4.1. */
export function sessionRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/session/refresh',
    summary: 'Refresh a session, expired or not',
    tag: 'sessions',
    answer: sessionShape,
    handle: async ({ request, now, begin }) => {
      // exactly the token: a Bearer prefix is refused here, as clients of this route expect
      const token = request.headers.get('authorization') ?? '';
      const session = token.startsWith('mra_') ? await begin((db) => refreshSession(db, token, now)) : null;
      if (!session) throw new Refused('token_invalid');
      return session;
    },
  });
}
