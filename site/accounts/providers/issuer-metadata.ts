import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { type Asking, boundedJson, failed } from './bounded-request.ts';

/** What an OpenID provider says about itself. Source: OpenID Connect Discovery 1.0 §3, §4. */
export interface Metadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  userinfo_endpoint: string | null;
  /** Whether the client's secret is sent in the body, because the provider takes no header. */
  post: boolean;
  /** Whether the provider names itself when it leads back (RFC 9207). */
  names_itself: boolean;
}
type Keys = ReturnType<typeof createLocalJWKSet>;

export interface IssuerMetadata {
  /** Refuses `provider_away`, `provider_failed`. */
  read(now: Date): Promise<Metadata>;
  /** The keys that it signs with; `again` asks for new ones, at most once a minute. */
  keys(now: Date, again?: boolean): Promise<Keys>;
}

const fresh_ms = 3_600_000;
const again_ms = 60_000;

/**
 * Reads and keeps, for an hour, the metadata and keys of `issuer`. Metadata that names another issuer is refused, as are
 * addresses without TLS where the issuer has it; `isIssuer` says which names count as the same.
 */
export function issuerMetadata(
  issuer: string,
  asking: Asking,
  isIssuer: (named: string) => boolean = (named) => named === issuer,
): IssuerMetadata {
  const { provider } = asking;
  let known: { at: number; metadata: Metadata } | null = null;
  let keyed: { at: number; keys: Keys } | null = null;

  async function read(now: Date): Promise<Metadata> {
    if (known && now.getTime() - known.at < fresh_ms) return known.metadata;
    const at = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const said = await boundedJson(at, {}, asking);
    if (typeof said.issuer !== 'string' || !isIssuer(said.issuer)) throw failed(provider, 'another issuer');
    const endpoint = (name: string): string => {
      const url = typeof said[name] === 'string' ? URL.parse(said[name]) : null;
      const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:'));
      if (!url || !secure) throw failed(provider, `no ${name}`);
      return url.href;
    };
    const methods = said.token_endpoint_auth_methods_supported;
    const metadata: Metadata = {
      issuer: said.issuer,
      authorization_endpoint: endpoint('authorization_endpoint'),
      token_endpoint: endpoint('token_endpoint'),
      jwks_uri: endpoint('jwks_uri'),
      userinfo_endpoint: said.userinfo_endpoint === undefined ? null : endpoint('userinfo_endpoint'),
      post:
        Array.isArray(methods) &&
        methods.includes('client_secret_post') &&
        !methods.includes('client_secret_basic'),
      names_itself: said.authorization_response_iss_parameter_supported === true,
    };
    known = { at: now.getTime(), metadata };
    return metadata;
  }

  async function keys(now: Date, again = false): Promise<Keys> {
    if (keyed && now.getTime() - keyed.at < (again ? again_ms : fresh_ms)) return keyed.keys;
    const said = await boundedJson((await read(now)).jwks_uri, {}, asking);
    try {
      keyed = { at: now.getTime(), keys: createLocalJWKSet(said as unknown as JSONWebKeySet) };
    } catch (error) {
      throw failed(provider, error);
    }
    return keyed.keys;
  }

  return { read, keys };
}
