/** Token scopes by bit. Source: api-v3 §4.3; design §4.13 (48 to 51 are ours). */
export const scopeBits = {
  USER_READ_EMAIL: 0,
  USER_READ: 1,
  USER_WRITE: 2,
  USER_DELETE: 3,
  USER_AUTH_WRITE: 4,
  NOTIFICATION_READ: 5,
  NOTIFICATION_WRITE: 6,
  PAYOUTS_READ: 7,
  PAYOUTS_WRITE: 8,
  ANALYTICS: 9,
  PROJECT_CREATE: 10,
  PROJECT_READ: 11,
  PROJECT_WRITE: 12,
  PROJECT_DELETE: 13,
  VERSION_CREATE: 14,
  VERSION_READ: 15,
  VERSION_WRITE: 16,
  VERSION_DELETE: 17,
  REPORT_CREATE: 18,
  REPORT_READ: 19,
  REPORT_WRITE: 20,
  REPORT_DELETE: 21,
  THREAD_READ: 22,
  THREAD_WRITE: 23,
  PAT_CREATE: 24,
  PAT_READ: 25,
  PAT_WRITE: 26,
  PAT_DELETE: 27,
  SESSION_READ: 28,
  SESSION_DELETE: 29,
  PERFORM_ANALYTICS: 30,
  COLLECTION_CREATE: 31,
  COLLECTION_READ: 32,
  COLLECTION_WRITE: 33,
  COLLECTION_DELETE: 34,
  ORGANIZATION_CREATE: 35,
  ORGANIZATION_READ: 36,
  ORGANIZATION_WRITE: 37,
  ORGANIZATION_DELETE: 38,
  SESSION_ACCESS: 39,
  SHARED_INSTANCE_CREATE: 40,
  SHARED_INSTANCE_READ: 41,
  SHARED_INSTANCE_WRITE: 42,
  SHARED_INSTANCE_DELETE: 43,
  SHARED_INSTANCE_VERSION_CREATE: 44,
  SHARED_INSTANCE_VERSION_READ: 45,
  SHARED_INSTANCE_VERSION_WRITE: 46,
  SHARED_INSTANCE_VERSION_DELETE: 47,
  SERVER_READ: 48,
  SERVER_CREATE: 49,
  SERVER_WRITE: 50,
  STAFF: 51,
} as const;
export type Scope = keyof typeof scopeBits;

/** Scopes that only a first-party session has; no token can carry them. */
const restrictedScopes: ReadonlySet<Scope> = new Set<Scope>([
  'USER_DELETE',
  'USER_AUTH_WRITE',
  'PAT_CREATE',
  'PAT_READ',
  'PAT_WRITE',
  'PAT_DELETE',
  'SESSION_READ',
  'SESSION_DELETE',
  'PERFORM_ANALYTICS',
  'SESSION_ACCESS',
]);

/** Scopes as the integer of the API (64 bits: beyond 2^31, below 2^53). */
export const scopesToNumber = (scopes: Iterable<Scope>): number => {
  let bits = 0n;
  for (const scope of scopes) bits |= 1n << BigInt(scopeBits[scope]);
  return Number(bits);
};

/** The scopes of the API's integer; unknown bits are dropped. */
export const scopesOfNumber = (bits: number | bigint): Set<Scope> => {
  const value = BigInt(bits);
  const found = (Object.keys(scopeBits) as Scope[]).filter((name) => (value >> BigInt(scopeBits[name])) & 1n);
  return new Set(found);
};

/** What an app may ask for, and a token of anybody may carry. */
export const unrestrictedScopes: readonly Scope[] = (Object.keys(scopeBits) as Scope[]).filter(
  (scope) => !restrictedScopes.has(scope) && scope !== 'STAFF',
);

/** Every scope that a token of somebody can carry. */
export const tokenScopes: readonly Scope[] = [...unrestrictedScopes, 'STAFF'];
