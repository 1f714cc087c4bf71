import { describe, expect, it } from 'vitest';
import { projectSources } from './bin/architecture/source-tree.ts';
import { testDatabase } from './db/testing/database.ts';
import { discoveryRoutes } from './site/discovery/router.ts';
import { testApi } from './site/testing/api.ts';

const api = testApi(testDatabase(), { ADMIN_KEY: 'routes-of-admin-key' });

/** Screens of specification §2 that exist so far, with the page that answers them. Later capabilities add theirs. */
const screens: Record<string, string> = {
  '/': 'index',
  '/mods': '[kind]',
  '/modpacks': '[kind]',
  '/plugins': '[kind]',
  '/resourcepacks': '[kind]',
  '/shaders': '[kind]',
  '/datapacks': '[kind]',
  '/mod/lanternroot': '[type]/[id]/index',
  '/mod/lanternroot/gallery': '[type]/[id]/gallery',
  '/mod/lanternroot/changelog': '[type]/[id]/changelog',
  '/mod/lanternroot/versions': '[type]/[id]/versions',
  '/mod/lanternroot/download.part': '[type]/[id]/download.part',
  '/mod/lanternroot/version/1.0.0': '[type]/[id]/version/[version]',
  '/collection/x': 'collection/[id]/index',
  '/collection/x/mods': 'collection/[id]/[projectType]',
  '/user/mirelle': 'user/[id]/index',
  '/user/mirelle/mods': 'user/[id]/[projectType]',
  '/organization/stonewrights': 'organization/[id]/index',
  '/organization/stonewrights/mods': 'organization/[id]/[projectType]',
  '/settings': 'settings/index',
  '/settings/language': 'settings/language',
  '/settings/profile': 'settings/profile',
  '/settings/pats': 'settings/pats/index',
  '/settings/pats/new': 'settings/pats/new',
  '/settings/pats/x': 'settings/pats/[id]',
  '/settings/applications': 'settings/applications/index',
  '/settings/applications/new': 'settings/applications/new',
  '/settings/applications/x': 'settings/applications/[id]',
  '/settings/authorizations': 'settings/authorizations',
  '/auth/authorize': 'auth/authorize',
  '/settings/account': 'settings/account',
  '/settings/notifications': 'settings/notifications',
  '/dashboard': 'dashboard/index',
  '/dashboard/notifications': 'dashboard/notifications/index',
  '/dashboard/notifications/history': 'dashboard/notifications/history',
  '/auth/sign-in': 'auth/sign-in',
  '/auth/sign-up': 'auth/sign-up',
  '/auth/confirm': 'auth/confirm',
  '/auth/new-account': 'auth/new-account',
  '/auth/welcome': 'auth/welcome',
  '/auth/launcher': 'auth/launcher',
  '/auth/two-factor': 'auth/two-factor',
  '/settings/account/two-factor': 'settings/account/two-factor',
  '/settings/account/backup-codes': 'settings/account/backup-codes',
  '/found/mods': 'found/[kind]',
  '/found': 'found/index',
  '/search': 'search',
  '/servers': 'servers/index',
  '/servers/buy': 'servers/buy',
  '/servers/manage': 'servers/manage/index',
  '/servers/manage/x': 'servers/manage/[id]/index',
  '/servers/admin': 'servers/admin',
  '/admin/servers/notices': 'admin/servers/notices',
  '/servers/manage/x/options/billing': 'servers/manage/[id]/options/billing',
  '/flags': 'flags',
  '/nowhere': '[kind]',
  '/nowhere/at/all/or/so': '[...path]',
};

/** Routes of the public API that exist so far. Source: decisions §1.2. */
const routes = [
  'GET /',
  'POST /analytics/view',
  'POST /analytics/playtime',
  'GET /v2/user',
  'GET /v2/user/x',
  'GET /v2/users?ids=[]',
  'GET /v2/user/x/projects',
  'PATCH /v2/user/x',
  'DELETE /v2/user/x',
  'PATCH /v2/user/x/icon?ext=png',
  'DELETE /v2/user/x/icon',
  'GET /v2/user/x/follows',
  'POST /v2/project/x/follow',
  'DELETE /v2/project/x/follow',
  'POST /v2/project',
  'GET /v2/project/x',
  'GET /v2/projects?ids=[]',
  'PATCH /v2/project/x',
  'PATCH /v2/projects?ids=[]',
  'PATCH /v3/projects?ids=[]',
  'DELETE /v2/project/x',
  'PATCH /v2/project/x/icon?ext=png',
  'DELETE /v2/project/x/icon',
  'POST /v2/project/x/gallery',
  'PATCH /v2/project/x/gallery',
  'DELETE /v2/project/x/gallery',
  'POST /v3/project',
  'DELETE /v3/project/x',
  'GET /v3/projects_random?count=1',
  'GET /v3/project/x/dependencies',
  'GET /v3/project/x/disclosures',
  'PATCH /v3/project/x/disclosures',
  'PATCH /v3/project/x/icon',
  'DELETE /v3/project/x/icon',
  'POST /v3/project/x/gallery',
  'PATCH /v3/project/x/gallery',
  'DELETE /v3/project/x/gallery',
  'GET /v2/project/x/check',
  'GET /v2/project/x/members',
  'GET /v2/team/x/members',
  'GET /v2/teams?ids=[]',
  'POST /v2/team/x/members',
  'POST /v2/team/x/join',
  'PATCH /v2/team/x/members/y',
  'DELETE /v2/team/x/members/y',
  'PATCH /v2/team/x/owner',
  'POST /v2/version',
  'POST /v2/project/x/schedule',
  'POST /v2/version/x/schedule',
  'GET /v2/version/x',
  'GET /v2/versions?ids=[]',
  'GET /v2/project/x/version',
  'GET /v2/project/x/version/1',
  'PATCH /v2/version/x',
  'DELETE /v2/version/x',
  'GET /v2/version_file/x',
  'POST /v2/version_file/x/update',
  'GET /v2/version_file/x/download',
  'DELETE /v2/version_file/x',
  'POST /v2/version_files',
  'POST /v2/version_files/update',
  'GET /v2/search',
  'GET /v3/search',
  'POST /v3/project/x/follow',
  'DELETE /v3/project/x/follow',
  'GET /v3/user',
  'GET /v3/user/x',
  'GET /v3/users?ids=[]',
  'GET /v3/users/search?query=x',
  'GET /v3/user_email?email=x',
  'GET /v3/user/x/projects',
  'PATCH /v3/user/x',
  'DELETE /v3/user/x',
  'PATCH /v3/user/x/icon?ext=png',
  'DELETE /v3/user/x/icon',
  'GET /v3/user/x/preferences',
  'PATCH /v3/user/x/preferences',
  'PATCH /v3/user/x/notes',
  'PATCH /v3/organization/x/notes',
  'POST /v3/friend/x',
  'DELETE /v3/friend/x',
  'GET /v3/friends',
  'POST /v3/block/x',
  'DELETE /v3/block/x',
  'GET /v3/blocks',
  'GET /v3/user/x/follows',
  'POST /v3/content/resolve',
  'GET /v3/version/x',
  'GET /v3/versions?ids=[]',
  'GET /v3/project/x/version',
  'GET /v3/project/x/version/1',
  'POST /v3/version',
  'POST /v3/version/x/file',
  'PATCH /v3/version/x',
  'DELETE /v3/version/x',
  'GET /v3/version_file/x',
  'GET /v3/version_file/x/download',
  'POST /v3/version_file/x/update',
  'DELETE /v3/version_file/x',
  'POST /v3/version_files',
  'POST /v3/version_file/project',
  'POST /v3/version_files/update',
  'POST /v3/version_files/update_many',
  'POST /v3/version_files/update_individual',
  'GET /v3/project/x',
  'PATCH /v3/project/x',
  'POST /v3/team/x/members',
  'POST /v3/team/x/join',
  'PATCH /v3/team/x/members/y',
  'DELETE /v3/team/x/members/y',
  'PATCH /v3/team/x/owner',
  'GET /v3/team/x/members',
  'GET /v3/teams?ids=[]',
  'GET /v3/project/x/members',
  'GET /v3/project/x/organization',
  'POST /v3/organization',
  'GET /v3/organization/x',
  'GET /v3/organizations?ids=[]',
  'PATCH /v3/organization/x',
  'DELETE /v3/organization/x',
  'PATCH /v3/organization/x/icon?ext=png',
  'DELETE /v3/organization/x/icon',
  'GET /v3/organization/x/members',
  'GET /v3/organization/x/projects',
  'POST /v3/organization/x/projects',
  'DELETE /v3/organization/x/projects/y',
  'GET /v3/user/x/organizations',
  'GET /v3/user/x/all-projects',
  'GET /v3/limits/projects',
  'GET /v3/limits/organizations',
  'GET /v3/limits/collections',
  'POST /v3/collection',
  'GET /v3/collection/x',
  'GET /v3/collections?ids=[]',
  'PATCH /v3/collection/x',
  'DELETE /v3/collection/x',
  'PATCH /v3/collection/x/icon?ext=png',
  'DELETE /v3/collection/x/icon',
  'GET /v3/user/x/collections',
  'GET /v2/thread/x',
  'GET /v2/threads?ids=[]',
  'POST /v2/thread/x',
  'DELETE /v2/message/x',
  'POST /v2/report',
  'GET /v2/report',
  'GET /v2/report/x',
  'GET /v2/reports?ids=[]',
  'PATCH /v2/report/x',
  'DELETE /v2/report/x',
  'GET /v3/thread/x',
  'GET /v3/threads?ids=[]',
  'POST /v3/thread/x',
  'DELETE /v3/message/x',
  'POST /v3/report',
  'GET /v3/report',
  'GET /v3/report/x',
  'GET /v3/reports?ids=[]',
  'PATCH /v3/report/x',
  'DELETE /v3/report/x',
  'GET /v2/user/x/notifications',
  'GET /v2/notifications?ids=[]',
  'PATCH /v2/notifications?ids=[]',
  'DELETE /v2/notifications?ids=[]',
  'GET /v2/notification/x',
  'PATCH /v2/notification/x',
  'DELETE /v2/notification/x',
  'GET /v3/user/x/notifications',
  'GET /v3/notifications?ids=[]',
  'PATCH /v3/notifications?ids=[]',
  'DELETE /v3/notifications?ids=[]',
  'GET /v3/notification/x',
  'PATCH /v3/notification/x',
  'DELETE /v3/notification/x',
  'POST /v3/image?ext=png&context=project',
  'GET /v2/tag/category',
  'GET /v2/tag/loader',
  'GET /v2/tag/game_version',
  'GET /v2/tag/license',
  'GET /v2/tag/license/MIT',
  'GET /v2/tag/donation_platform',
  'GET /v2/tag/report_type',
  'GET /v2/tag/project_type',
  'GET /v2/tag/side_type',
  'GET /maven/maven/modrinth/x/maven-metadata.xml',
  'GET /maven/maven/modrinth/x/1/x-1.pom',
  'GET /updates/x/forge_updates.json',
  'GET /v2/openapi.json',
  'POST /_internal/admin/_force_reindex',
  'POST /_internal/admin/_force_reindex/x',
  'GET /v3/games',
  'GET /v3/tag/category',
  'GET /v3/tag/loader',
  'GET /v3/loader_field?loader_field=game_versions',
  'GET /v3/license',
  'GET /v3/license/MIT',
  'GET /v3/link_platform',
  'GET /v3/tag/report_type',
  'GET /v3/tag/project_type',
  'GET /v3/statistics',
  'POST /_internal/viewer',
  'GET /_internal/suggest',
];

/** What programs read beside pages, and that no page answers. Source: decisions §3.2. */
const machines = [
  '/robots.txt',
  '/.well-known/security.txt',
  '/manifest.webmanifest',
  '/offline',
  '/sitemap.xml',
  '/sitemap/pages.xml',
  '/sitemap/projects-1.xml',
  '/sitemap/users-1.xml',
  '/sitemap/organizations-1.xml',
  '/sitemap/collections-1.xml',
  '/mods.atom',
  '/mod/lanternroot/versions.atom',
  '/user/x/projects.atom',
  '/organization/x/projects.atom',
  '/collection/AABBCCDD/projects.atom',
];

const pages = projectSources()
  .paths.filter((path) => path.startsWith('site/pages/'))
  .map((path) => path.slice('site/pages/'.length).replace(/\.(astro|ts)$/, ''));

/** How exactly a page names a path: literal parts count most. Null when it does not match. */
function matched(page: string, path: string): number | null {
  const parts = page.split('/').filter((part) => part !== 'index');
  const requested = path.split('/').filter(Boolean);
  const rest = parts.at(-1)?.startsWith('[...');
  if (rest ? requested.length < parts.length - 1 : requested.length !== parts.length) return null;
  let exactness = rest ? 0 : 1;
  for (const [i, part] of parts.entries()) {
    if (part.startsWith('[')) continue;
    if (part !== requested[i]) return null;
    exactness += 2;
  }
  return exactness;
}

describe('the screens of specification §2', () => {
  it.each(Object.entries(screens))('%s is answered by the page %s', (path, page) => {
    const found = pages.flatMap((one) => {
      const exactness = matched(one, path);
      return exactness === null ? [] : [{ one, exactness }];
    });
    expect(found.sort((a, b) => b.exactness - a.exactness)[0]?.one).toBe(page);
  });
});

describe('what programs read', () => {
  it.each(machines)('%s has one that makes it', (path) => {
    expect(discoveryRoutes.filter(([address]) => address.test(path))).toHaveLength(1);
  });
});

describe('the public API', () => {
  it.each(routes)('%s is a route', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const answer = await api.call(method, path, method === 'POST' || method === 'PATCH' ? { json: {} } : {});
    expect(await answer.text()).not.toContain('the requested route does not exist');
    expect(answer.status).toBeLessThan(500);
  });

  it('says so about a route that does not exist', async () => {
    const answer = await api.call('GET', '/v2/nothing');
    expect(await answer.json()).toMatchObject({ description: 'the requested route does not exist' });
  });
});
