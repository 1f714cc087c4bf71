import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { failed } from './bounded-request.ts';
import type { IssuerMetadata, Metadata } from './issuer-metadata.ts';

const max_clock_difference_s = 60;

export interface Expected {
  provider: string;
  client_id: string;
  nonce: string;
  metadata: Metadata;
  source: IssuerMetadata;
  now: Date;
  /** The issuer that the token has to name, where metadata give no fixed one. */
  issuerOf?(claims: JWTPayload): string;
}

/**
 * The claims of an ID token: signed by a key of the provider with an asymmetric algorithm, from this issuer, for us, for
 * this attempt, and not expired. Refuses `provider_failed`. Source: OpenID Connect Core 1.0 §3.1.3.7.
 */
export async function verifyIdToken(
  token: string,
  expected: Expected,
): Promise<JWTPayload & { sub: string }> {
  const { provider, client_id, nonce, metadata, source, now, issuerOf } = expected;
  try {
    const options = {
      issuer: issuerOf ? issuerOf(decodeJwt(token)) : metadata.issuer,
      audience: client_id,
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
      clockTolerance: max_clock_difference_s,
      currentDate: now,
      requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'],
    };
    const { payload } = await jwtVerify(token, await source.keys(now), options).catch(
      async (error: unknown) => {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return await jwtVerify(token, await source.keys(now, true), options); // it has new keys
      },
    );
    if (payload.nonce !== nonce) throw new Error('another nonce');
    const several = Array.isArray(payload.aud) && payload.aud.length > 1;
    if ((several || payload.azp !== undefined) && payload.azp !== client_id) throw new Error('another azp');
    if (typeof payload.sub !== 'string' || !isSubject(payload.sub)) throw new Error('no subject');
    return { ...payload, sub: payload.sub };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'provider_away') throw error;
    throw failed(provider, error);
  }
}

/** At most 255 characters of ASCII. Source: OpenID Connect Core 1.0 §2 (sub). */
const isSubject = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text);
