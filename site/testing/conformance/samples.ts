const in_a_month = new Date(Date.now() + 30 * 86_400_000).toISOString();

/**
 * A right request for every operation, by method and path without `/v2` or `/v3`; one key with the version in front wins.
 * `{name}` is replaced by a value of the world. What is not listed needs neither query nor body.
 */
export interface Sample {
  /** Placeholders of the path's parameters, where others than the usual ones are needed. */
  path?: string[];
  query?: Record<string, string>;
  json?: unknown;
  /** Fields of a plain form. */
  form?: Record<string, string>;
  /** The `data` part of a form whose file is the part `file`; `file: false` when there is none. */
  data?: Record<string, unknown>;
  file?: false;
  /** The body is a PNG. */
  picture?: true;
}

const ids = (name: string): Sample => ({ query: { ids: `["{${name}}"]` } });
const updates = { loaders: ['fabric'], game_versions: ['1.20.1'], version_types: ['release'] };
const hashes = { hashes: ['{hash}'], algorithm: 'sha1' };
const png: Sample = { query: { ext: 'png' }, picture: true };
const version = {
  file_parts: ['file'],
  version_number: '3.0.0',
  name: 'Third',
  changelog: 'New',
  dependencies: [],
  game_versions: ['1.20.1'],
  version_type: 'release',
  loaders: ['fabric'],
  featured: false,
};
const created = {
  slug: 'project-{unique}',
  categories: ['adventure'],
  license_id: 'MIT',
  is_draft: true,
  initial_versions: [],
};
const report = { report_type: 'spam', item_id: '{other}', item_type: 'project', body: 'Nothing but links' };
const resolve = {
  project_id: '{project}',
  content_type: 'mod',
  selected: { game_versions: ['1.20.1'], loaders: ['fabric'] },
  target: { game_versions: ['1.20.1'], loaders: ['fabric'] },
  existing_project_ids: [],
};
const later = { time: '2090-01-01T00:00:00Z', requested_status: 'approved' };

const account = {
  username: 'account-{unique}',
  email: 'account-{unique}@example.test',
  password: 'Copper lanterns hum softly',
};
const key = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const passkey = { ...key, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };
const passkeyAnswer = {
  ...key,
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

const samples: Record<string, Sample> = {
  'POST /auth/create/validate': { json: account },
  'POST /auth/create': { json: account },
  'POST /auth/login': { json: { username: 'nobody-{unique}', password: 'wrong' } },
  'POST /auth/login/2fa': { json: { flow: 'unknown', code: '123456' } },
  'POST /auth/2fa': { json: { flow: 'unknown', code: '123456' } },
  'DELETE /auth/2fa': { json: { code: '123456' } },
  'PATCH /auth/password': { json: { old_password: 'wrong', new_password: 'Copper lanterns hum softly' } },
  'POST /auth/passkey/register/finish': { json: { flow: 'unknown', name: 'Laptop', credential: passkey } },
  'POST /auth/passkey/finish': { json: { flow: 'unknown', credential: passkeyAnswer } },
  'PATCH /auth/passkey/:id': { json: { name: 'Phone' } },
  'GET /projects': ids('project'),
  'PATCH /projects': { ...ids('project'), json: { add_categories: ['magic'] } },
  'GET /projects_random': { query: { count: '1' } },
  'GET /versions': ids('version'),
  'GET /users': ids('user'),
  'GET /teams': ids('team'),
  'GET /collections': ids('collection'),
  'GET /organizations': ids('organization'),
  'GET /notifications': ids('notification'),
  'PATCH /notifications': ids('notification'),
  'DELETE /notifications': ids('notification'),
  'GET /reports': ids('report'),
  'GET /threads': ids('thread'),
  'GET /users/search': { query: { query: 'user' } },
  'GET /user_email': { query: { email: '{email}' } },
  'GET /loader_field': { query: { loader_field: 'game_versions' } },
  'POST /search': { json: { query: 'project' } },
  'PATCH /project/:id': { json: { slug: 'edited-{unique}' } },
  'PATCH /project/:id/icon': png,
  'POST /project/:id/gallery': { query: { ext: 'png', featured: 'false' }, picture: true },
  'PATCH /project/:id/gallery': { query: { url: '{image_url}', featured: 'true' } },
  'DELETE /project/:id/gallery': { query: { url: '{image_url}' } },
  'POST /project/:id/schedule': { json: later },
  'POST /version/:id/schedule': { json: { ...later, requested_status: 'listed' } },
  'PATCH /project/:id/disclosures': {
    json: { set: [{ type: 'advertisements', data: {} }], remove: [] },
  },
  '/v2 POST /project': {
    data: {
      ...created,
      title: 'A new project',
      description: 'Made for a test',
      body: 'A body',
      client_side: 'required',
      server_side: 'optional',
    },
    file: false,
  },
  '/v3 POST /project': {
    data: { ...created, name: 'A new project', summary: 'Made for a test', description: 'A body' },
    file: false,
  },
  '/v2 POST /version': { data: { ...version, project_id: '{project}' } },
  '/v3 POST /version': {
    data: { ...version, project_id: '{project}', environment: 'client_and_server' },
  },
  'POST /version/:id/file': { data: {} },
  'PATCH /version/:id': { json: { name: 'Renamed' } },
  'POST /version_file/:hash/update': { json: updates },
  'POST /version_files': { json: hashes },
  'POST /version_file/project': { json: hashes },
  'POST /version_files/update': { json: { ...hashes, ...updates } },
  'POST /version_files/update_many': { json: { ...hashes, ...updates } },
  'POST /version_files/update_individual': {
    json: { algorithm: 'sha1', hashes: [{ hash: '{hash}', ...updates }] },
  },
  'POST /content/resolve': { json: resolve },
  'PATCH /user/:id': { json: { bio: 'Builds with stone' } },
  'PATCH /user/:id/icon': png,
  'PATCH /user/:id/preferences': { json: { appearance: { theme: 'dark' } } },
  'PATCH /user/:id/notes': { json: { notes: 'Seen before' } },
  'PATCH /organization/:id/notes': { json: { notes: 'Seen before' } },
  'POST /team/:id/members': { json: { user_id: '{stranger}' } },
  'PATCH /team/:id/members/:user': { json: { role: 'Builder' } },
  'POST /team/:id/join': { path: ['own_team'] },
  'PATCH /team/:id/owner': { path: ['own_team'], json: { user_id: '{builder}' } },
  'DELETE /project/:id/follow': { path: ['other'] },
  'POST /organization': {
    json: { slug: 'organization-{unique}', name: 'A new one', description: 'Made for a test' },
  },
  'PATCH /organization/:id': { json: { description: 'Another text' } },
  'PATCH /organization/:id/icon': png,
  'POST /organization/:id/projects': { json: { project_id: '{own}' } },
  'DELETE /organization/:id/projects/:project_id': { json: { new_owner: '{colleague}' } },
  'POST /collection': { json: { name: 'A collection', description: 'Made for a test', projects: [] } },
  'PATCH /collection/:id': { json: { name: 'Renamed' } },
  'PATCH /collection/:id/icon': png,
  'POST /image': { query: { ext: 'png', context: 'project', project_id: '{project}' }, picture: true },
  'POST /report': { json: report },
  'PATCH /report/:id': { json: { body: 'Far too much' } },
  'POST /thread/:id': { json: { body: { type: 'text', body: 'An answer' } } },
  'GET /auth/init': { query: { url: 'http://127.0.0.1:25999/' } },
  'POST /auth/create/oauth': { json: { username: 'newcomer', state: 'none' } },
  'PATCH /auth/email': { json: { email: 'no address' } },
  'POST /auth/email/verify': { json: { flow: 'none' } },
  'POST /auth/password/reset': { json: { username: 'nobody-{unique}' } },
  'DELETE /auth/provider': { json: { provider: 'github' } },
  'POST /pat': { json: { name: 'A new token', scopes: 2, expires: in_a_month } },
  'PATCH /pat/:id': { json: { name: 'Renamed' } },
  'GET /oauth/authorize': { query: { client_id: '{application}' } },
  'POST /oauth/accept': { json: { flow: '{oauth_flow}' } },
  'POST /oauth/reject': { json: { flow: '{oauth_flow}' } },
  'POST /oauth/token': {
    form: {
      grant_type: 'authorization_code',
      code: '{oauth_code}',
      client_id: '{application}',
      client_secret: '{client_secret}',
    },
  },
  'POST /oauth/revoke': {
    form: { token: 'mro_unknown', client_id: '{application}', client_secret: '{client_secret}' },
  },
  'GET /oauth/apps': { query: { ids: '{application}' } },
  'POST /oauth/app': {
    json: { name: 'Another app', max_scopes: 2, redirect_uris: ['https://app.example/back'] },
  },
  'PATCH /oauth/app/:id': { json: { name: 'Renamed' } },
  'PATCH /oauth/app/:id/icon': png,
  'DELETE /oauth/authorizations': { query: { client_id: '{application}' } },
  'POST /payout': {
    json: {
      amount: '5',
      method: 'tremendous',
      method_id: 'test-books',
      method_details: { delivery_email: 'a@example.org' },
    },
  },
  'POST /payout/fees': { json: { amount: '5', method: 'paypal', method_id: 'paypal' } },
  'POST /payout/compliance': { json: { form_type: 'W-9' } },
  '/v3 POST /analytics': {
    json: {
      time_range: { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z', resolution: { slices: 4 } },
      return_metrics: { project_downloads: { bucket_by: ['project_id'] } },
      project_ids: ['{project}'],
    },
  },
  '/v3 POST /analytics/facets': { json: { project_ids: ['{project}'] } },
  'POST /analytics/view': { json: { url: 'http://localhost:4321/mod/{slug}' } },
  'POST /analytics/minecraft-server-play': {
    json: { project_id: '{project}', username: 'Player', server_id: 'a1b2c3' },
  },
  'POST /analytics/playtime': {
    json: { '{version}': { seconds: 60, loader: 'fabric', game_version: '1.20.1' } },
  },
};

const collections: Record<string, string> = {
  project: 'project',
  version: 'version',
  version_file: 'hash',
  user: 'user',
  team: 'team',
  thread: 'thread',
  message: 'message',
  report: 'report',
  notification: 'notification',
  organization: 'organization',
  collection: 'collection',
  app: 'application',
  friend: 'friend',
  block: 'friend',
  members: 'builder',
  projects: 'project',
  license: 'license',
  modrinth: 'slug',
  updates: 'project',
};

/** The served path with a placeholder of the world for every parameter, as `/v2/project/{project}`. */
export function filledPath(path: string, given: readonly string[] = []): string {
  const parts = path.split('/');
  const names = [...given];
  return parts
    .map((part, at) => {
      if (!part.startsWith(':')) return part;
      const name = names.shift() ?? collections[parts[at - 1] ?? ''];
      if (name !== undefined) return `{${name}}`;
      return part.startsWith(':file') ? '{filename}' : '1.0.0';
    })
    .join('/')
    .replace('{license}', 'MIT');
}

/** The sample of a served route, as `PATCH /v2/project/:id`. */
export function sampleOf(route: string): Sample {
  const [method, path = ''] = route.split(' ');
  const [, version, rest] = /^(\/v[23])?(\/.*)$/.exec(path) ?? [];
  return samples[`${version} ${method} ${rest}`] ?? samples[`${method} ${rest}`] ?? {};
}
