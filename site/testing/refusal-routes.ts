import type { Refusal } from './refusal-request.ts';
import type { Caller } from './refusal-world.ts';

/** A route with a nearly valid request, from which the candidates are derived. */
export interface TestedRoute {
  method: string;
  path: string;
  /** The caller with permission. */
  caller: Caller;
  body: Pick<Refusal, 'json' | 'form' | 'text' | 'headers'>;
}

type Body = TestedRoute['body'];
const route = (method: string, path: string, body: Body = {}, caller: Caller = 'owner'): TestedRoute => ({
  method,
  path,
  caller,
  body,
});
const read = (path: string) => route('GET', path, {}, 'anonymous');
const json = (value: unknown): Body => ({ json: value });
const form = (data: unknown, ...files: Array<[string, string, string]>): Body => ({
  form: [['data', JSON.stringify(data)], ...files],
});
const own = (value: unknown): Body => ({
  json: value,
  headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
});
const picture = (text: string): Body => ({ text, headers: { 'content-type': 'image/png' } });

const version = {
  project_id: '{project}',
  file_parts: ['file'],
  version_number: '2.0.0',
  name: 'Second',
  changelog: 'New',
  dependencies: [{ project_id: '{other}', dependency_type: 'required' }],
  game_versions: ['1.20.1'],
  version_type: 'release',
  loaders: ['fabric'],
  featured: false,
  status: 'listed',
  primary_file: 'file',
  environment: 'client_and_server',
  ordering: 1,
  file_types: {},
};
const created = {
  title: 'A new project',
  slug: 'a-new-project',
  description: 'Made for a test',
  body: 'A body',
  client_side: 'required',
  server_side: 'optional',
  project_type: 'mod',
  initial_versions: [],
  categories: ['adventure'],
  additional_categories: [],
  license_id: 'MIT',
  is_draft: true,
  donation_urls: [],
  organization_id: 'zzzzzzzz',
};
const edited = {
  title: 'Another title',
  description: 'Another description',
  body: 'Another body',
  slug: '{other_slug}',
  license_id: 'No such licence',
  categories: ['no-such-category'],
  additional_categories: ['no-such-category'],
  donation_urls: [{ id: 'no-such', platform: '', url: 'https://example.org' }],
  status: 'rejected',
  requested_status: 'rejected',
  monetization_status: 'force-demonetized',
  moderation_message: 'x',
  moderation_message_body: 'x',
  client_side: 'no',
  server_side: 'no',
  issues_url: 'http://',
};
/** Each field in a separate request, with a value that is refused, and all of them together. */
const each = (method: string, path: string, fields: Record<string, unknown>): TestedRoute[] =>
  Object.entries(fields).map(([name, value]) => route(method, path, json({ [name]: value })));

const updates = { loaders: ['fabric'], game_versions: ['1.20.1'], version_types: ['release'] };
const hashes = { hashes: ['{hash}'], algorithm: 'sha1' };
const person = {
  username: 'somebody-new',
  email: 'somebody@example.test',
  password: 'Copper lanterns hum softly',
  confirm_password: 'Copper lanterns hum softly',
};
const order = {
  op_id: '5f0c2b6e-7c0e-4a5e-9a39-3a2f5b1f6f10',
  plan: 'small',
  interval: 'monthly',
  region: 'central-europe',
  currency: 'EUR',
  card: '0000',
  name: 'Valley',
  game_version: '1.16.5',
  terms: 'on',
};
const notice = { level: 'info', title: 'Maintenance', message: 'Tonight', target: 'all' };

/** Every route of the API: reads, writes and internal ones. */
export const routes: readonly TestedRoute[] = [
  route('GET', '/v2/user'),
  read('/v2/user/{user}'),
  read('/v2/users?ids=[]'),
  read('/v2/user/{user}/projects'),
  route('GET', '/v2/user/{user}/follows'),
  route('GET', '/v3/user/{user}/follows'),
  route('POST', '/v2/project/{project}/follow'),
  route('DELETE', '/v2/project/{project}/follow'),
  route('POST', '/v3/project/{project}/follow'),
  route('DELETE', '/v3/project/{project}/follow'),
  route('POST', '/v2/project', form(created)),
  route('POST', '/v2/project', form({ ...created, initial_versions: [version] }, ['file', 'x', 'a.jar'])),
  read('/v2/project/{project}'),
  read('/v3/project/{project}'),
  read('/v2/projects?ids=[]'),
  read('/v3/projects?ids=[]'),
  read('/v2/projects_random?count=0'),
  read('/v2/project/{project}/check'),
  read('/v2/project/{project}/dependencies'),
  read('/v2/project/{project}/members'),
  read('/v2/team/{team}/members'),
  read('/v2/teams?ids=[]'),
  route('PATCH', '/v2/project/{project}', json(edited)),
  ...each('PATCH', '/v2/project/{project}', edited),
  ...each('PATCH', '/v3/project/{project}', {
    name: 'x',
    summary: 'x',
    link_urls: { nowhere: 'https://example.org' },
    environment: 'nowhere',
    status: 'rejected',
    slug: '{other_slug}',
  }),
  route('DELETE', '/v2/project/{project}', {}, 'stranger'),
  route('PATCH', '/v2/project/{project}/icon?ext=png', picture('no picture')),
  route('DELETE', '/v2/project/{project}/icon', {}, 'stranger'),
  route('POST', '/v2/version', form(version, ['file', 'x', 'a.jar'])),
  route('POST', '/v2/version/{version}/file', form({ file_types: {} }, ['file', 'x', 'a.jar'])),
  read('/v2/version/{version}'),
  read('/v2/versions?ids=[]'),
  read('/v2/project/{project}/version?limit=x&featured=x&version_type=x'),
  read('/v2/project/{project}/version/{version}'),
  ...each('PATCH', '/v2/version/{version}', {
    name: ' ',
    version_number: 'a b',
    changelog: 1,
    version_type: 'gamma',
    dependencies: [{ project_id: 'zzzzzzzz', dependency_type: 'required' }],
    game_versions: ['0.0'],
    loaders: ['no-such-loader'],
    featured: 'yes',
    downloads: 1,
    status: 'gone',
    file_types: [{ algorithm: 'sha1', hash: '00', file_type: null }],
  }),
  route('DELETE', '/v2/version/{version}', {}, 'stranger'),
  read('/v2/version_file/{hash}?algorithm=x&version_id=x'),
  read('/v2/version_file/{hash}/download'),
  route('POST', '/v2/version_file/{hash}/update', json(updates), 'anonymous'),
  route('DELETE', '/v2/version_file/{hash}', {}, 'stranger'),
  route('POST', '/v2/version_files', json(hashes), 'anonymous'),
  route('POST', '/v2/version_file/project', json(hashes), 'anonymous'),
  route('POST', '/v2/version_files/update', json({ ...hashes, ...updates }), 'anonymous'),
  route('POST', '/v2/version_files/update_many', json({ ...hashes, ...updates }), 'anonymous'),
  route(
    'POST',
    '/v2/version_files/update_individual',
    json({ ...hashes, hashes: [{ hash: 'x' }] }),
    'anonymous',
  ),
  read('/v2/search?query=x&facets=x&filters=x&new_filters=x&limit=x&offset=x&index=x&followed=true'),
  read('/v3/search?query=x&facets=x&filters=x&new_filters=x&limit=x&offset=x&index=x&followed=true'),
  route('POST', '/v3/collection', json({ name: 'A', description: 'B', projects: ['zzzzzzzz'] })),
  read('/v3/collection/{collection}'),
  read('/v3/collections?ids=[]'),
  read('/v3/user/{user}/collections'),
  route('PATCH', '/v3/collection/{collection}', json({ name: 'A', status: 'unknown', new_projects: 'x' })),
  route('DELETE', '/v3/collection/{collection}', {}, 'stranger'),
  route('PATCH', '/v3/collection/{collection}/icon?ext=png', picture('no picture')),
  route('DELETE', '/v3/collection/{collection}/icon', {}, 'stranger'),
  read('/v2/tag/license/{user}'),
  read('/v2/tag/{user}'),
  route('POST', '/v2/session/refresh'),
  read('/api/v1/mod/{project}'),
  route('POST', '/_internal/viewer', json({ project: '{project}', projects: [] })),
  read('/_internal/suggest?q={x*3000}'),
  route('POST', '/_internal/auth/sign-in', own({ username: '{user}', password: 'wrong' }), 'anonymous'),
  route('POST', '/_internal/auth/sign-up', own({ ...person, username: '{user}' }), 'anonymous'),
  route('POST', '/_internal/auth/sign-up', own({ ...person, confirm_password: 'x' }), 'anonymous'),
  route('POST', '/_internal/auth/sign-out', own({}), 'foreign'),
  route('POST', '/_internal/billing/order', own(order)),
  route('POST', '/_internal/billing/cancel', own({ server_id: 'zzzzzzzz' })),
  route(
    'POST',
    '/_internal/servers/power',
    own({ server_id: 'zzzzzzzz', op_id: '7d5e9f5e-3a55-4c1c-9a83-3a9f0f4f6a11', action: 'start' }),
  ),
  route('POST', '/_internal/billing/resubscribe', own({ server_id: 'zzzzzzzz', interval: 'x', card: '0' })),
  route('POST', '/_internal/billing/webhook/test', {
    text: '{}',
    headers: { 'cairn-signature': 't=1,v1=0' },
  }),
  route('POST', '/_internal/notices', own(notice)),
  route('POST', '/_internal/notices', own({ ...notice, level: 'no' }), 'moderator'),
  route('POST', '/_internal/notices/end', own({ id: 'zzzzzzzz' }), 'moderator'),
  route('POST', '/_internal/servers/parcel', own({ server_id: 'zzzzzzzz' })),
];
