/**
 * The catalogue of refusals: everything a caller can be told to do differently.
 * code -> [HTTP status, English text]. Texts may hold {placeholders} filled from `data`; other languages
 * translate them under `error.<code>` in content/locales. 404 is also the answer for hidden things, 401 for
 * missing rights: the public API never answers 403 (reference api-v2 §1.6).
 */
export const refusals = {
  // callers
  invalid_credentials: [401, 'That sign-in is not known: check the name and the password.'],
  authentication_required: [401, 'Sign in or send a valid token in the Authorization header.'],
  token_invalid: [401, 'Invalid Authentication Credentials: the token is unknown, expired or malformed.'],
  token_kind_unknown: [401, 'Unknown kind of token: it must start with mra_, mrp_ or mro_.'],
  scope_missing: [401, 'The token lacks the scope {scope}.'],
  permission_missing: [401, 'You do not have permission to do this ({permission}).'],
  not_a_member: [401, 'Only members of this project may do this.'],
  moderators_only: [401, 'Only moderators may do this.'],
  admins_only: [401, 'Only administrators may do this.'],
  cross_site: [401, 'This request came from another site. Send a token in the Authorization header instead.'],
  scope_restricted: [400, 'A token cannot carry restricted scopes.'],
  token_expiry_past: [400, 'The expiry date must lie in the future.'],
  username_taken: [400, 'That username is taken. Choose another one.'],
  email_taken: [400, 'An account with that e-mail address exists already.'],
  limit_reached: [400, 'You have reached the limit of {limit}.'],
  // projects, versions, files
  project_slug_taken: [400, 'That address is already used by another project. Choose another slug.'],
  organization_slug_taken: [400, 'That address is already used by another organization. Choose another slug.'],
  invalid_image: [400, 'The image cannot be used: {problem}'],
  file_repeated: [400, 'The same file is in this upload twice.'],
  file_name_repeated: [400, 'Two files of this version have the same name.'],
  // shapes
  invalid_input: [400, '{problem}'],
  not_found: [404, 'The requested item does not exist.'],
  route_not_found: [404, 'the requested route does not exist'],
  body_too_large: [413, 'The body is larger than {limit_bytes} bytes.'],
  rate_limited: [429, 'You are being rate-limited. Please wait {retry_after_ms} ms.'],
  busy: [503, 'Too many requests are waiting. Try again in a second.'],
  storage_full: [507, 'There is no room left for this file. Tell the operator of this site.'],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalCode = keyof typeof refusals;

const fill = (text: string, data: Record<string, unknown>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? String(data[name]) : whole));

/** A caller's mistake that somebody can act on. Thrown in `db/`, translated only by the four doorways. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly data: Record<string, unknown>;

  constructor(code: RefusalCode, data: Record<string, unknown> = {}) {
    super(fill(refusals[code][1], data));
    this.name = 'Refused';
    this.code = code;
    this.status = refusals[code][0];
    this.data = data;
  }
}

/** Throws `Refused(code)` when a rule answered with a code; returns when it answered null. */
export function allow(code: RefusalCode | null, data: Record<string, unknown> = {}): void {
  if (code) throw new Refused(code, data);
}
