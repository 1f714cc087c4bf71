import { Refused } from '#db/errors.ts';
import { refreshSession } from '#db/people/session.ts';
import { sessionShape } from '#db/people/shape.ts';
import { publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';

/** Lengthening a session. Listing and ending sessions comes with the account screens. Source: api-v3 §4.1. */
export function sessionRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/session/refresh',
    summary: 'A new session for one that may have expired',
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
