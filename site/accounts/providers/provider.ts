/** Sign-in by another service: what all of them have in common. Source: api-v3 §4; screens §A.5. */

/** In the order of the buttons. */
export const providerIds = ['discord', 'github', 'microsoft', 'google', 'steam', 'gitlab', 'oidc'] as const;
export type ProviderId = (typeof providerIds)[number];

/** One attempt to sign in: both requests know it, and nobody else. */
export interface Attempt {
  state: string;
  /** The secret behind the challenge of PKCE (RFC 7636). */
  verifier: string;
  /** Comes back in an ID token, so that no other one can be slipped in. */
  nonce: string;
}

/** Who came back, as the provider names them. */
export interface Identity {
  /** Never changes and belongs to nobody else at this provider. At most 255 characters. */
  subject: string;
  /** Their name there, unchecked, to begin with. */
  username: string | null;
  /** An e-mail address that the provider says is theirs; null when it does not say so. */
  email: string | null;
}

export interface Provider {
  id: ProviderId;
  /** As people know it. */
  name: string;
  /** Where its subjects come from: those of another address are other people. */
  issuer: string;
  /** The address to send the browser to. Refuses `provider_away`, `provider_failed`. */
  start(attempt: Attempt, now: Date): Promise<URL>;
  /**
   * Who came back with `query`. Refuses `provider_declined` when they changed their mind, `provider_away` and
   * `provider_failed`.
   */
  finish(attempt: Attempt, query: URLSearchParams, now: Date): Promise<Identity>;
}

/** What a provider is made with. */
export interface Registration {
  client_id: string;
  client_secret: string;
  /** Our address that the provider leads back to. */
  callback: string;
  limit_ms: number;
}
