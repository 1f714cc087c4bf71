/** A parameter in the OpenAPI document. */
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema?: Record<string, unknown>;
}

/** What a parameter means, and a value of the demo content where there is one. */
type Words = readonly [description: string, example?: unknown];

/** By the first part of the path, for `id` of that path. */
const ids: Readonly<Record<string, Words>> = {
  project: ['ID or slug of the project', 'lanternroot'],
  version: ['ID of the version', '6VMVHeOJ'],
  user: ['ID or name of the user', 'mirelle'],
  team: ['ID of the team, as in the project or organization', 'y5aS4Xsi'],
  organization: ['ID or slug of the organization', 'stonewrights'],
  collection: ['ID of the collection', 'lLKmYF80'],
  notification: ['ID of the notification'],
  report: ['ID of the report'],
  thread: ['ID of the thread, as `thread_id` of a project or report'],
  message: ['ID of the message'],
  session: ['ID of the session'],
  pat: ['ID of the token, which is not the token itself'],
  tag: ['SPDX ID of the license', 'MIT'],
  license: ['SPDX ID of the license', 'MIT'],
  friend: ['ID or name of the user'],
  block: ['ID or name of the user'],
  auth: ['ID of the passkey'],
  oauth: ['ID of the app'],
  payout: ['ID of the payout'],
};
/** Of what the demo content has none. */
const idList: Words = ['A JSON list of IDs', '["AABBCCDD"]'];
const lists: Readonly<Record<string, Words>> = {
  projects: ['A JSON list of IDs or slugs, at most 3000', '["lanternroot"]'],
  versions: ['A JSON list of IDs', '["6VMVHeOJ"]'],
  users: ['A JSON list of IDs or names', '["mirelle"]'],
  teams: ['A JSON list of IDs', '["y5aS4Xsi"]'],
  organizations: ['A JSON list of IDs or slugs', '["stonewrights"]'],
  collections: ['A JSON list of IDs', '["lLKmYF80"]'],
  oauth: ['IDs, separated by commas', 'AABBCCDD'],
};

/** SHA-1 of a file of the demo content. */
export const example_hash = 'beebe07c1208e08e4a1e7a700d1fcd4f82b8e202';

/** By name, wherever the parameter is. */
const words: Readonly<Record<string, Words>> = {
  hash: ['Hash of a file in hexadecimal digits, upper or lower case', example_hash],
  number: ['ID or number of the version; of several with the same number, the newest', '2.4.1'],
  user: ['ID or name of the member'],
  project_id: ['ID or slug of the project'],
  algorithm: ['How the hash was made; without it the length of the hash decides'],
  version_id: ['ID of the version, for a file that several versions contain'],
  all: ['`true` gives moderators the reports of everyone'],
  alt: ['What the image shows, for people who can’t see it; empty removes it'],
  title: ['Title of the image; empty removes it'],
  name: ['Title of the image; empty removes it'],
  description: ['Text below the image; empty removes it'],
  ordering: ['Place in the gallery, ascending'],
  url: ['Address of the image, as the project gives it'],
  ext: ['File name extension of the image, such as `png`; without it the content type decides'],
  context: ['What kind of text the image is for'],
  thread_message_id: ['ID of the message, when it exists already'],
  report_id: ['ID of the report, when it exists already'],
  client_id: ['ID of the app', 'AABBCCDD'],
  code_challenge: ['SHA-256 of the code verifier, in Base64 for addresses (PKCE)'],
  code_challenge_method: ['`S256`'],
  redirect_uri: ['One of the redirect URLs of the app; needed when it has several'],
  response_type: ['`code`'],
  scope: ['Names of scopes, separated by spaces'],
  state: ['Comes back unchanged'],
  email: ['The whole address', 'ada@example.org'],
  count: ['How many, at most'],
  facets: [
    'Conditions as JSON: the outer list means and, the inner ones or. See [Searching](/docs/api/searching)',
    '[["categories:fabric"],["project_types:mod"]]',
  ],
  filters: ['Conditions as an expression. See [Searching](/docs/api/searching)'],
  version: ['Conditions on game versions, added to `filters`'],
  new_filters: ['Conditions as an expression; replaces `facets`, `filters` and `version`'],
  index: ['Order: `relevance`, `downloads`, `follows`, `newest` or `updated`'],
  limit: ['How many, 1 to 100', '10'],
  offset: ['How many to skip', '0'],
  followed: ['`true` searches what you follow; needs a token with USER_READ'],
  query: ['Words to look for', 'lantern'],
  project_ids: ['A JSON list of IDs; all of your projects without it'],
  start: ['When the time begins, such as `2026-11-01T00:00:00Z`; 30 days before its end without it'],
  end: ['When the time ends; now without it'],
  start_date: ['When the time begins, such as `2026-11-01T00:00:00Z`; two weeks before its end without it'],
  end_date: ['When the time ends; now without it'],
  resolution_minutes: [
    'Minutes of one slice, at least 60 unless the time is at most 12 hours; 1440 without it',
  ],
  featured: ['`true` or `false`'],
  game_versions: ['A JSON list of game versions; versions for any of them', '["1.21.4"]'],
  loaders: ['A JSON list of loaders; versions for any of them', '["fabric"]'],
  loader_fields: [
    'JSON: a list of values for each field; versions with any of them',
    '{"game_versions":["1.21.4"]}',
  ],
  loader_field: ['Name of the field', 'game_versions'],
  include_changelog: ['`false` leaves out changelogs, which makes long lists much smaller'],
  version_type: ['Only this channel'],
  major: ['`true` gives only major versions, `false` only others'],
  type: ['Only this kind'],
  project_type: ['Only this type'],
  provider: ['Name of the provider, such as `github`'],
  token: ['A session token, to add the account to the user of this browser'],
  country: ['Two letters of the country (ISO 3166), `US` without it', 'DE'],
  code: ['What the provider answers'],
  error: ['What the provider answers instead'],
};

/** By path and name, where the general words would be wrong. */
const exceptions: Readonly<Record<string, Words>> = {
  '/project/{id}/organization id': ['ID or slug of the project', 'roofline'],
  '/project/{id}/check id': ['ID or slug', 'lanternroot'],
  '/project/{id}/version limit': ['How many; all without it', '5'],
  '/project/{id}/gallery featured': ['Whether the image represents the project'],
  '/project/{id}/version featured': ['Only featured versions, or only others'],
  '/projects_random count': ['How many, 1 to 100', 3],
  '/loader_field filters': ['JSON: values of the metadata that an entry must have', '{"type":"release"}'],
  '/users/search query': ['The beginning of a name', 'mi'],
  '/image project_id': ['ID or slug of the project, when it exists already'],
  '/image version_id': ['ID of the version, when it exists already'],
  '/auth/init url': [
    'Where to lead afterwards: a page of this site, or an address on this computer',
    '/dashboard',
  ],
};

function ifMatch(description: string, required = true): Parameter {
  return {
    name: 'If-Match',
    in: 'header',
    required,
    description,
    example: '"1"',
    schema: { type: 'string' },
  };
}
const noteVersion = 'Version of the notes that you read; another one in the meantime refuses `note_changed`';

/** Headers that an operation reads beside the usual ones, by method and path. */
const headers: Readonly<Record<string, readonly Parameter[]>> = {
  'PATCH /project/{id}': [
    ifMatch(
      'The `ETag` of the project that you read; another one in the meantime refuses `revision_conflict`',
      false,
    ),
  ],
  'PATCH /user/{id}/notes': [ifMatch(noteVersion)],
  'PATCH /organization/{id}/notes': [ifMatch(noteVersion)],
};

/** The parameters of an operation that are headers. */
export const headerParameters = (method: string, path: string): readonly Parameter[] =>
  headers[`${method.toUpperCase()} ${path}`] ?? [];

/** Fields of bodies of the operations by hash. */
const fileFields: Readonly<Record<string, Words>> = {
  hashes: [
    'Hashes of files in hexadecimal digits, upper or lower case; those of no known file are left out of the answer',
  ],
  algorithm: ['How the hashes were made; without it the length of each decides'],
  loaders: ['Versions for any of these loaders; all without it'],
  game_versions: ['Versions for any of these game versions; all without it'],
  version_types: ['Only these channels; all without it'],
};

/** The fields of a JSON body that have the names and meanings of parameters. */
export function describeFields(path: string, { properties = {} }: BodySchema): void {
  const of = path === '/search' ? words : path.startsWith('/version_file') ? fileFields : {};
  for (const [name, field] of Object.entries(properties)) {
    const [description] = of[name] ?? [];
    if (description !== undefined) field.description ??= description;
  }
}

/** The schema of a body in the OpenAPI document. */
export interface BodySchema {
  properties?: Record<string, { description?: string }>;
}

/** Adds what a parameter of `path` means, and an example where the demo content has one. */
export function describeParameter(path: string, parameter: Parameter): void {
  const { name } = parameter;
  const first = path.split(/[/{]/)[1] ?? '';
  const found =
    exceptions[`${path} ${name}`] ??
    (name === 'id' ? ids[first] : name === 'ids' ? (lists[first] ?? idList) : words[name]);
  if (!found) return;
  parameter.description = found[0];
  if (found[1] !== undefined) parameter.example = found[1];
}
