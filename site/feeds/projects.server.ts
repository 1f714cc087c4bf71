import { findCollection as collectionOf } from '#db/collections/read.ts';
import { byIdOrSlug } from '#db/organizations/read.ts';
import { userByIdOrName } from '#db/people/read.ts';
import { newestProjects } from '#db/projects/public.ts';
import { projectsByIds } from '#db/projects/read.ts';
import { statusTraits } from '#db/projects/rules.ts';
import type { Project } from '#db/projects/shape.ts';
import { type Asked, addressIn, type Machine } from '../machines/machine.ts';
import { isolated } from '../machines/xml.ts';
import { organizationPath, userPath } from '../profile/places.ts';
import { kindAt, projectPath } from '../project/types.ts';
import { newestOfKind } from '../search/search.server.ts';
import { atom, type Entry, most_entries, tagOf } from './atom.ts';
import { collectionPath, feedOf, kindFeed, projectsFeed } from './places.ts';

/** The newest projects of one kind. The search says which, the record whether they still are. */
export const ofKind: Machine = async (asked, path = '') => {
  const { services, language, messages, shows } = asked;
  const kind = kindAt(path);
  if (!kind) return null;
  shows('counts');
  const hits = await newestOfKind(services, kind, most_entries);
  const authors = new Map(hits.map(({ project_id, author }) => [project_id, author]));
  const found = await projectsByIds(services.sql, [...authors.keys()], null);
  const listed = found.filter(({ status }) => statusTraits[status].searchable);
  const feed = {
    id: tagOf(services.settings.SITE_URL, 'kind', kind.type),
    title: messages.t('feeds.newest', { kind: messages.t(kind.many) }),
    language: language.tag,
    self: addressIn(asked, kindFeed(kind)),
    page: addressIn(asked, kind.path),
    since: began,
    entries: listed.map((project) => entryOf(asked, project, authors.get(project.id) ?? null)),
  };
  return feedOf(atom(feed, services.settings.SITE_URL));
};

/** The newest projects in which a user has a place. */
export const ofUser: Machine = async (asked, name = '') => {
  const { services, shows } = asked;
  shows(`user:${name}`);
  const user = await userByIdOrName(services.sql, name);
  if (!user) return null;
  shows(`user:${user.id}`);
  const path = userPath(user.username);
  if (user.username !== name) return { to: projectsFeed(path) + asked.url.search };
  const projects = await newestProjects(services.sql, { user_id: user.id }, most_entries);
  const { id, username, avatar_url: icon, created, bio } = user;
  const title = asked.messages.t('feeds.projects_of', { name: isolated(username) });
  return made(asked, { kind: 'user', path, id, title, author: username, icon, created, bio }, projects);
};

/** The newest projects of an organization. */
export const ofOrganization: Machine = async (asked, slug = '') => {
  const { services, shows } = asked;
  shows(`organization:${slug}`);
  const found = await byIdOrSlug(services.sql, slug);
  if (!found) return null;
  shows(`organization:${found.id}`);
  const path = organizationPath(found.slug);
  if (found.slug !== slug) return { to: projectsFeed(path) + asked.url.search };
  const projects = await newestProjects(services.sql, { organization_id: found.id }, most_entries);
  const { id, name, icon_url: icon, description: bio } = found;
  const title = asked.messages.t('feeds.projects_of', { name: isolated(name) });
  return made(
    asked,
    { kind: 'organization', path, id, title, author: name, icon, created: began, bio },
    projects,
  );
};

/** The projects put into a collection last, while strangers may see it. */
export const ofCollection: Machine = async (asked, id = '') => {
  const { services, shows } = asked;
  shows(`collection:${id}`);
  const found = await collectionOf(services.sql, id, null);
  if (!found) {
    shows('counts'); // it may be there as soon as one of its projects is
    return null;
  }
  const last = found.projects.toReversed().slice(0, 4 * most_entries);
  const projects = (await projectsByIds(services.sql, last, null)).filter(
    ({ status }) => statusTraits[status].searchable,
  );
  const { name, icon_url: icon, created, description: bio } = found;
  const title = asked.messages.t('feeds.collection', { name: isolated(name) });
  const path = collectionPath(found.id);
  return made(asked, { kind: 'collection', path, id, title, author: null, icon, created, bio }, projects);
};

/** For feeds of what has no date of its own and no entries. */
const began = '2026-01-01T00:00:00Z';

interface Whose {
  kind: 'user' | 'organization' | 'collection';
  /** Of its page. */
  path: string;
  id: string;
  title: string;
  author: string | null;
  icon: string | null;
  created: string;
  bio: string | null;
}

function made(asked: Asked, whose: Whose, projects: readonly Project[]) {
  const { services, language, shows } = asked;
  const site = services.settings.SITE_URL;
  shows('counts'); // a project made public joins within a minute, one hidden leaves at once
  const feed = {
    id: tagOf(site, whose.kind, whose.id),
    title: whose.title,
    subtitle: whose.bio,
    language: language.tag,
    self: addressIn(asked, projectsFeed(whose.path)),
    page: addressIn(asked, whose.path),
    icon: whose.icon,
    since: whose.created,
    entries: projects.map((project) => entryOf(asked, project, whose.author)),
  };
  return feedOf(atom(feed, site));
}

function entryOf(asked: Asked, project: Project, author: string | null): Entry {
  asked.shows(`project:${project.id}`);
  return {
    id: tagOf(asked.services.settings.SITE_URL, 'project', project.id),
    title: project.title,
    url: addressIn(asked, projectPath(project)),
    published: project.approved ?? project.published,
    updated: project.updated,
    author,
    summary: project.description,
    categories: project.categories,
  };
}
