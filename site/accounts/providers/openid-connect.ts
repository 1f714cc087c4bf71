import type { JWTPayload } from 'jose';
import { accessTokenOf, authorizationUrl, codeOf, exchangeCode } from './authorization-code.ts';
import { boundedJson, failed } from './bounded-request.ts';
import { verifyIdToken } from './id-token.ts';
import { issuerMetadata } from './issuer-metadata.ts';
import type { Provider, Registration } from './provider.ts';

interface OpenIdProvider extends Pick<Provider, 'id' | 'name' | 'issuer'> {
  /** Which issuers metadata may name, and which one an ID token then has to, where that is not always `issuer`. */
  isIssuer?(named: string): boolean;
  issuerOf?(claims: JWTPayload): string;
}

/** A provider of OpenID Connect, found by discovery. Source: OpenID Connect Core 1.0 §3.1. */
export function openIdConnect(given: OpenIdProvider, registration: Registration): Provider {
  const { id, name, issuer, isIssuer, issuerOf } = given;
  const { client_id, limit_ms } = registration;
  const asking = { provider: name, limit_ms };
  const source = issuerMetadata(issuer, asking, isIssuer);
  return {
    id,
    name,
    issuer,
    async start(attempt, now) {
      const { authorization_endpoint } = await source.read(now);
      const scopes = ['openid', 'profile', 'email'];
      const url = authorizationUrl(authorization_endpoint, registration, attempt, scopes);
      url.searchParams.set('nonce', attempt.nonce);
      return url;
    },
    async finish({ verifier, nonce }, query, now) {
      const metadata = await source.read(now);
      // a provider that answers in the name of another one (RFC 9207)
      const named = query.get('iss');
      if (named === null ? metadata.names_itself : named !== metadata.issuer)
        throw failed(name, 'another provider answered');
      const code = codeOf(query, name);
      const { post } = metadata;
      const tokens = await exchangeCode(metadata.token_endpoint, registration, {
        ...{ code, verifier, provider: name, post },
      });
      let claims: JWTPayload & { sub: string } = await verifyIdToken(idTokenOf(tokens, name), {
        ...{ provider: name, client_id, nonce, metadata, source, now },
        ...(issuerOf && { issuerOf }),
      });
      if (claims.email === undefined && metadata.userinfo_endpoint) {
        const headers = { authorization: `Bearer ${accessTokenOf(tokens, name)}` };
        const more = await boundedJson(metadata.userinfo_endpoint, { headers }, asking);
        if (more.sub !== claims.sub) throw failed(name, 'the profile of somebody else');
        claims = { ...more, ...claims };
      }
      const text = (key: string): string | null =>
        typeof claims[key] === 'string' && claims[key] !== '' ? claims[key] : null;
      return {
        subject: claims.sub,
        username: text('preferred_username') ?? text('nickname') ?? text('name'),
        email: claims.email_verified === true ? text('email') : null,
      };
    },
  };
}

function idTokenOf(tokens: { idToken(): string }, provider: string): string {
  try {
    return tokens.idToken();
  } catch (error) {
    throw failed(provider, error);
  }
}

export const google = (registration: Registration, url = 'https://accounts.google.com'): Provider =>
  openIdConnect({ id: 'google', name: 'Google', issuer: url }, registration);

/** GitLab, or with `url` an instance of one's own. */
export const gitlab = (registration: Registration, url = 'https://gitlab.com'): Provider =>
  openIdConnect({ id: 'gitlab', name: 'GitLab', issuer: url }, registration);

/** Accounts of every tenant and of persons, or with `url` of one tenant. */
export function microsoft(
  registration: Registration,
  url = 'https://login.microsoftonline.com/common/v2.0',
): Provider {
  const every = 'https://login.microsoftonline.com/{tenantid}/v2.0';
  // metadata for every tenant name none, so that a token has to name that of the person
  const issuerOf = ({ tid }: JWTPayload) =>
    typeof tid === 'string' && /^[0-9a-f-]{36}$/.test(tid) ? every.replace('{tenantid}', tid) : '';
  const common = url.startsWith('https://login.microsoftonline.com/common/');
  return openIdConnect(
    {
      ...{ id: 'microsoft', name: 'Microsoft', issuer: url },
      ...(common && { isIssuer: (named: string) => named === every, issuerOf }),
    },
    registration,
  );
}
