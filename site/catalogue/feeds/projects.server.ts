import { findCollection as collectionOf } from '#db/catalogue/collections/read.ts';
import { findOrganization } from '#db/catalogue/organizations/read.ts';
import { newestProjects } from '#db/catalogue/projects/public.ts';
import { projectsByIds } from '#db/catalogue/projects/read.ts';
import { statusTraits } from '#db/catalogue/projects/rules.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { newestOfKind } from '../../discovery/search/search.server.ts';
import { atom, type Entry, max_entries, tagOf } from '../../platform/feeds/atom.ts';
import { feedDocument } from '../../platform/feeds/routes.ts';
import { type DocumentHandler, type DocumentRequest, urlIn } from '../../platform/http/document.ts';
import { typeAtPath } from '../../platform/paths/project-types.ts';
import {
  collectionPath,
  kindFeed,
  organizationPath,
  projectPath,
  projectsFeed,
  userPath,
} from '../../platform/paths/routes.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';

/** The newest projects of one type. Search finds them, the database confirms that they are still visible. */
export const feedOfType: DocumentHandler = async (request, path = '') => {
  const { services, language, messages, tag } = request;
  const kind = typeAtPath(path);
  if (!kind) return null;
  tag('counts');
  const hits = await newestOfKind(services, kind, max_entries);
  const authors = new Map(hits.map(({ project_id, author }) => [project_id, author]));
  const found = await projectsByIds(services, [...authors.keys()], null);
  const listed = found.filter(({ status }) => statusTraits[status].searchable);
  const feed = {
    id: tagOf(services.settings.SITE_URL, 'kind', kind.type),
    title: messages.t('feeds.newest', { kind: messages.t(kind.many) }),
    language: language.tag,
    self: urlIn(request, kindFeed(kind)),
    page: urlIn(request, kind.path),
    since: began,
    entries: listed.map((project) => entryOf(request, project, authors.get(project.id) ?? null)),
  };
  return feedDocument(atom(feed, services.settings.SITE_URL));
};

/** The newest projects that a user is a member of. */
export const feedOfUser: DocumentHandler = async (request, name = '') => {
  const { services, tag } = request;
  tag(`user:${name}`);
  const user = await userByIdOrName(services, name);
  if (!user) return null;
  tag(`user:${user.id}`);
  const path = userPath(user.username);
  if (user.username !== name) return { to: projectsFeed(path) + request.url.search };
  const projects = await newestProjects(services, { user_id: user.id }, max_entries);
  const { id, username, avatar_url: icon, created, bio } = user;
  const title = request.messages.t('feeds.projects_of', { name: bidiIsolated(username) });
  return buildFeed(
    request,
    { kind: 'user', path, id, title, author: username, icon, created, bio },
    projects,
  );
};

/** The newest projects of an organization. */
export const feedOfOrganization: DocumentHandler = async (request, slug = '') => {
  const { services, tag } = request;
  tag(`organization:${slug}`);
  const found = await findOrganization(services, slug, null);
  if (!found) return null;
  tag(`organization:${found.id}`);
  const path = organizationPath(found.slug);
  if (found.slug !== slug) return { to: projectsFeed(path) + request.url.search };
  const projects = await newestProjects(services, { organization_id: found.id }, max_entries);
  const { id, name, icon_url: icon, description: bio } = found;
  const title = request.messages.t('feeds.projects_of', { name: bidiIsolated(name) });
  return buildFeed(
    request,
    { kind: 'organization', path, id, title, author: name, icon, created: began, bio },
    projects,
  );
};

/** The projects most recently added to a public collection. */
export const feedOfCollection: DocumentHandler = async (request, id = '') => {
  const { services, tag } = request;
  tag(`collection:${id}`);
  const found = await collectionOf(services, id, null);
  if (!found) {
    tag('counts'); // it may become visible as soon as one of its projects does
    return null;
  }
  const last = found.projects.toReversed().slice(0, 4 * max_entries);
  const projects = (await projectsByIds(services, last, null)).filter(
    ({ status }) => statusTraits[status].searchable,
  );
  const { name, icon_url: icon, created, description: bio } = found;
  const title = request.messages.t('feeds.collection', { name: bidiIsolated(name) });
  const path = collectionPath(found.id);
  return buildFeed(
    request,
    { kind: 'collection', path, id, title, author: null, icon, created, bio },
    projects,
  );
};

/** The date of an empty feed whose subject has no date. */
const began = '2026-01-01T00:00:00Z';

interface FeedOwner {
  kind: 'user' | 'organization' | 'collection';
  /** The path of its page. */
  path: string;
  id: string;
  title: string;
  author: string | null;
  icon: string | null;
  created: string;
  bio: string | null;
}

function buildFeed(request: DocumentRequest, owner: FeedOwner, projects: readonly Project[]) {
  const { services, language, tag } = request;
  const site = services.settings.SITE_URL;
  tag('counts'); // a new public project is added within a minute, a hidden one is removed at once
  const feed = {
    id: tagOf(site, owner.kind, owner.id),
    title: owner.title,
    subtitle: owner.bio,
    language: language.tag,
    self: urlIn(request, projectsFeed(owner.path)),
    page: urlIn(request, owner.path),
    icon: owner.icon,
    since: owner.created,
    entries: projects.map((project) => entryOf(request, project, owner.author)),
  };
  return feedDocument(atom(feed, site));
}

function entryOf(request: DocumentRequest, project: Project, author: string | null): Entry {
  request.tag(`project:${project.id}`);
  return {
    id: tagOf(request.services.settings.SITE_URL, 'project', project.id),
    title: project.title,
    url: urlIn(request, projectPath(project)),
    published: project.approved ?? project.published,
    updated: project.updated,
    author,
    summary: project.description,
    categories: project.categories,
  };
}
