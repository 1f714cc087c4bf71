import { z } from 'zod';
import { Refused } from '#db/platform/errors.ts';
import { refreshSession } from '#db/platform/people/session.ts';
import { endSession, sessionsOf } from '#db/platform/people/session-list.ts';
import { sessionShape } from '#db/platform/people/shape.ts';
import { callerToken } from '../platform/route/authenticate.ts';
import { authenticatedRoute, publicRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const tag = 'sessions';

/** Sessions of the caller; below /v2 and /_internal alike. Source: api-v3 §4.1. */
export function sessionRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/session/list',
    summary: 'Your sessions, the last used first',
    tag,
    needs: ['SESSION_READ'],
    answer: z.array(sessionShape),
    handle: async ({ sql, services, request, actor }) =>
      await sessionsOf(sql, actor.user_id, callerToken(request, services.settings)),
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/session/{id}',
    summary: 'End one of your sessions',
    tag,
    needs: ['SESSION_DELETE'],
    params: z.object({ id: z.string() }),
    handle: async ({ params: { id }, services, request, actor, now, begin }) => {
      const token = callerToken(request, services.settings);
      await begin((tx) => endSession(tx, { id, actor, token, now }));
      return undefined;
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/session/refresh',
    summary: 'Refresh a session, expired or not',
    tag,
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
