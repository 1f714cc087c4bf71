import { byIdOrSlug } from '#db/organizations/read.ts';
import { userByIdOrName } from '#db/people/read.ts';
import { newestOf } from '#db/projects/public.ts';
import { many } from '#db/projects/read.ts';
import { meanings } from '#db/projects/rules.ts';
import type { Project } from '#db/projects/shape.ts';
import { type Asked, addressIn, type Machine } from '../machines/machine.ts';
import { isolated } from '../machines/xml.ts';
import { kindAt, projectPath } from '../project/types.ts';
import { newestOfKind } from '../search/search.server.ts';
import { atom, type Entry, most_entries, tagOf } from './atom.ts';
import { feedOf, kindFeed, organizationFeed, userFeed } from './places.ts';

/** The newest projects of one kind. The search says which, the record whether they still are. */
export const ofKind: Machine = async (asked, path = '') => {
  const { services, language, messages, shows } = asked;
  const kind = kindAt(path);
  if (!kind) return null;
  shows('counts');
  const hits = await newestOfKind(services, kind, most_entries);
  const authors = new Map(hits.map(({ project_id, author }) => [project_id, author]));
  const found = await many(services.sql, [...authors.keys()], null);
  const listed = found.filter(({ status }) => meanings[status].searchable);
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
  const path = userFeed(user.username);
  if (user.username !== name) return { to: path + asked.url.search };
  const projects = await newestOf(services.sql, { user_id: user.id }, most_entries);
  const { username, avatar_url, created, bio } = user;
  return made(
    asked,
    { kind: 'user', path, id: user.id, name: username, icon: avatar_url, created, bio },
    projects,
  );
};

/** The newest projects of an organization. */
export const ofOrganization: Machine = async (asked, slug = '') => {
  const { services, shows } = asked;
  shows(`organization:${slug}`);
  const found = await byIdOrSlug(services.sql, slug);
  if (!found) return null;
  shows(`organization:${found.id}`);
  const path = organizationFeed(found.slug);
  if (found.slug !== slug) return { to: path + asked.url.search };
  const projects = await newestOf(services.sql, { organization_id: found.id }, most_entries);
  const { id, name, icon_url, description } = found;
  return made(
    asked,
    { kind: 'organization', path, id, name, icon: icon_url, created: began, bio: description },
    projects,
  );
};

/** For feeds of what has no date of its own and no entries. */
const began = '2026-01-01T00:00:00Z';

interface Whose {
  kind: 'user' | 'organization';
  path: string;
  id: string;
  name: string;
  icon: string | null;
  created: string;
  bio: string | null;
}

function made(asked: Asked, whose: Whose, projects: readonly Project[]) {
  const { services, language, messages, shows } = asked;
  const site = services.settings.SITE_URL;
  shows('counts'); // a project made public joins within a minute, one hidden leaves at once
  const feed = {
    id: tagOf(site, whose.kind, whose.id),
    title: messages.t('feeds.projects_of', { name: isolated(whose.name) }),
    subtitle: whose.bio,
    language: language.tag,
    self: addressIn(asked, whose.path),
    page: null,
    icon: whose.icon,
    since: whose.created,
    entries: projects.map((project) => entryOf(asked, project, whose.name)),
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
