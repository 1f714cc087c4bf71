import { recent } from '#db/catalogue/versions/recent.ts';
import { atom, max_entries, tagOf } from '../../platform/feeds/atom.ts';
import { feedDocument } from '../../platform/feeds/routes.ts';
import { type DocumentHandler, urlIn } from '../../platform/http/document.ts';
import { projectPath, versionsFeed } from '../../platform/paths/routes.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { loadPublicProject } from '../project/public.server.ts';
import { versionPath } from '../version/version-address.ts';

/** A project's versions as a feed, with changelogs. Source: decisions §3.2. */
export const feedOfVersions: DocumentHandler = async (request, type = '', slug = '') => {
  const { services, language, messages, url, tag } = request;
  const site = services.settings.SITE_URL;
  const found = await loadPublicProject(services, type, slug, tag);
  if (!found) return null;
  const { project, moved } = found;
  const path = versionsFeed(project);
  if (moved) return { to: path + url.search };
  const entries = (await recent(services.sql, project.id, max_entries)).map((version) => ({
    id: tagOf(site, 'version', version.id),
    title: version.name.includes(version.version_number)
      ? version.name
      : messages.t('feeds.version', {
          number: bidiIsolated(version.version_number),
          name: bidiIsolated(version.name),
        }),
    url: urlIn(request, versionPath(project, version, version.by_id)),
    published: version.date_published,
    updated: version.date_published,
    author: version.author,
    html: version.html,
    categories: [version.version_type, ...version.loaders, ...version.game_versions],
  }));
  const feed = {
    id: tagOf(site, 'project', project.id),
    title: messages.t('feeds.versions', { title: bidiIsolated(project.title) }),
    subtitle: project.description,
    language: language.tag,
    self: urlIn(request, path),
    page: urlIn(request, `${projectPath(project)}/versions`),
    icon: project.icon_url,
    since: project.approved ?? project.published,
    entries,
  };
  return feedDocument(atom(feed, site));
};
