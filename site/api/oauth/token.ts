import { z } from 'zod';
import { token_lifetime_s } from '#db/accounts/oauth/rules.ts';
import { authenticateClient, type Credentials, exchangeCode, revokeToken } from '#db/accounts/oauth/token.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import { bodyText } from '../../platform/route/json-body.ts';
import type { Api } from '../../platform/route/types.ts';
import { noStore, withOAuthErrors } from './oauth-error.ts';

const tag = 'oauth';
const limit_bytes = 16 * 1024;
/** How an app says who it is, unless it does so by the header `Authorization`. */
const clientFields = z.object({ client_id: z.string().optional(), client_secret: z.string().optional() });

/** Tokens of apps, for the apps themselves. Source: api-v3 §3.11; RFC 6749 §4.1.3; RFC 7009. */
export function tokenRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/oauth/token',
    summary: 'Exchange a code for an access token',
    tag,
    form: clientFields.extend({
      grant_type: z.literal('authorization_code'),
      code: z.string(),
      redirect_uri: z.string().optional(),
      code_verifier: z.string().optional(),
    }),
    answer: z
      .object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        scope: z.string(),
      })
      .meta({ id: 'OAuthToken' }),
    handle: async ({ services, request, now, begin }) =>
      await withOAuthErrors(async () => {
        const form = await formOf(request, services.settings);
        const client_id = await authenticateClient(services.sql, credentialsOf(request, form));
        const asked = {
          grant_type: form.get('grant_type'),
          code: form.get('code'),
          redirect_uri: form.get('redirect_uri'),
          code_verifier: form.get('code_verifier'),
        };
        const issued = await begin((tx) => exchangeCode(tx, client_id, asked, now));
        if (issued instanceof Refused) throw issued; // after the commit: the code is used up
        const { access_token, scopes } = issued;
        const answer = { access_token, token_type: 'Bearer', expires_in: token_lifetime_s };
        return Response.json({ ...answer, scope: [...scopes].join(' ') }, { headers: noStore });
      }),
  });

  publicRoute(api, {
    method: 'post',
    path: '/oauth/revoke',
    summary: 'End an access token of your app',
    tag,
    form: clientFields.extend({ token: z.string() }),
    empty_status: 200,
    handle: async ({ services, request, begin }) =>
      await withOAuthErrors(async () => {
        const form = await formOf(request, services.settings);
        const client_id = await authenticateClient(services.sql, credentialsOf(request, form));
        const token = form.get('token');
        if (token === null) throw new Refused('oauth_invalid_request', { problem: 'token is missing' });
        await begin((tx) => revokeToken(tx, client_id, token));
        return new Response(null, { headers: noStore });
      }),
  });
}

/** The form of a request; no parameter may come twice. Source: RFC 6749 §3.2. */
async function formOf(request: Request, settings: Settings): Promise<URLSearchParams> {
  const form = new URLSearchParams(await bodyText(request, limit_bytes, settings));
  const names = [...form.keys()];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw malformed('a parameter is given twice');
  return form;
}

const malformed = (problem: string) => new Refused('oauth_invalid_request', { problem });

/**
 * Who the app says it is: its secret alone in the header, both by Basic, or both in the body. Two ways at once are
 * refused. Source: api-v3 §3.11; RFC 6749 §2.3.1.
 */
function credentialsOf(request: Request, form: URLSearchParams): Credentials {
  const header = request.headers.get('authorization');
  const [client_id, client_secret] = [form.get('client_id'), form.get('client_secret')];
  if (header === null) return { client_id, client_secret };
  if (client_secret !== null) throw malformed('the client secret is given in two ways');
  const basic = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header)?.[1];
  if (basic === undefined) return { client_id, client_secret: header };
  const [id = '', ...rest] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  const named = decoded(id);
  if (client_id !== null && client_id !== named) throw malformed('client_id differs from the header');
  return { client_id: named, client_secret: decoded(rest.join(':')) };
}

/** Both parts of Basic are encoded like values of a form. */
const decoded = (text: string): string =>
  new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? '';
