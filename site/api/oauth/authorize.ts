import { z } from 'zod';
import { decideRequest, openRequest } from '#db/accounts/oauth/authorize.ts';
import { boundedText } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { noStore, withOAuthErrors } from './oauth-error.ts';

const tag = 'oauth';
const text = z.string().optional();

/** What an app asks a user for, and what the user decides. Source: api-v3 §3.11. */
export function authorizeRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/oauth/authorize',
    summary: 'What an app asks you for; when you authorized it before, where to go',
    tag,
    needs: ['USER_AUTH_WRITE'],
    query: z.object({
      client_id: text,
      redirect_uri: text,
      scope: text,
      state: text,
      response_type: text,
      code_challenge: text,
      code_challenge_method: text,
    }),
    answer: z
      .object({
        flow_id: z.string(),
        client_id: z.string(),
        client_name: z.string(),
        client_icon: z.string().nullable(),
        requested_scopes: z.int(),
      })
      .meta({ id: 'OAuthRequest' }),
    handle: async ({ services, request, actor, now, begin }) =>
      await withOAuthErrors(async () => {
        const query = new URL(request.url).searchParams;
        const asked = await begin((sql) => openRequest({ ...services, sql }, actor, query, now));
        if ('to' in asked) return leadingTo(asked.to);
        const { flow_id, client, scopes } = asked;
        return Response.json(
          {
            flow_id,
            client_id: client.id,
            client_name: client.name,
            client_icon: client.icon_url,
            requested_scopes: scopes,
          },
          { headers: noStore },
        );
      }),
  });

  for (const [path, accepted, summary] of [
    ['/oauth/accept', true, 'Let the app do what it asks for'],
    ['/oauth/reject', false, 'Decline what the app asks for'],
  ] as const)
    authenticatedRoute(api, {
      method: 'post',
      path,
      summary,
      tag,
      needs: ['SESSION_ACCESS'],
      body: z.object({ flow: boundedText(1, 200) }),
      empty_status: 200,
      handle: async ({ services, body: { flow }, actor, now, begin }) =>
        await withOAuthErrors(async () =>
          leadingTo(
            await begin((sql) => decideRequest({ ...services, sql }, actor, { flow, accepted }, now)),
          ),
        ),
    });
}

/** The address of the app, as programs that show pages of their own get it. */
const leadingTo = (location: string): Response =>
  new Response(location, { headers: { ...noStore, location, 'content-type': 'text/plain; charset=utf-8' } });
