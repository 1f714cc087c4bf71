import { z } from 'zod';
import { viewerAccount } from '#db/people/viewer.ts';
import { accessTo } from '#db/teams/access.ts';
import { isMember, permissionsOf } from '#db/teams/rules.ts';
import { browserSession } from '../../http/browser-session.ts';
import { publicRoute } from '../route/endpoint.ts';
import { privateJson } from '../route/private-json.ts';
import type { Api } from '../route/types.ts';

const id = z.string().max(11);
const bodyShape = z.object({
  /** The project of the page. */
  project: id.optional(),
  /** Other projects on the page, for their follow buttons. */
  projects: z.array(id).max(200).default([]),
});

const answerShape = z.object({
  user: z
    .object({ id: z.string(), username: z.string(), avatar_url: z.string().nullable(), role: z.string() })
    .nullable(),
  /** Permissions on `project`; null for anonymous visitors and users without any. */
  project: z.object({ permissions: z.int(), member: z.boolean() }).nullable(),
  follows: z.array(z.string()),
  /** Unread notifications, counted up to 100. */
  unread: z.int(),
});

/**
 * What a page, cached for everybody, needs to know about the current user: one call per page, three queries at most.
 * Source: design §4.4.
 */
export function viewerRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/viewer',
    summary: 'The current user, with permissions and follows on a page',
    tag: 'internal',
    body: bodyShape,
    answer: answerShape,
    async handle({ sql, services, body, actor: valid, request, now }) {
      const anonymous_viewer = { user: null, project: null, follows: [], unread: 0 };
      // the call that every open page makes renews the session of the browser
      const isBrowser = valid === null && !request.headers.has('authorization');
      const { actor, cookies } = isBrowser
        ? await browserSession(request, services, now)
        : { actor: valid, cookies: [] };
      const answer = privateJson(actor ? await visible() : anonymous_viewer);
      for (const text of cookies) answer.headers.append('set-cookie', text);
      return answer;

      async function visible(): Promise<z.output<typeof answerShape>> {
        const user_id = actor!.user_id;
        const user_view = body.project ? [body.project, ...body.projects] : body.projects;
        const [account, place] = await Promise.all([
          viewerAccount(services, user_id, user_view),
          body.project ? accessTo(sql, body.project, actor) : null,
        ]);
        if (!account) return anonymous_viewer;
        const permissions = place && permissionsOf(place);
        return {
          ...account,
          project: place && permissions !== null ? { permissions, member: isMember(place) } : null,
        };
      }
    },
  });
}
