import { recent } from '#db/versions/recent.ts';
import { addressIn, type Machine } from '../machines/machine.ts';
import { isolated } from '../machines/xml.ts';
import { publicProject } from '../project/public.server.ts';
import { projectPath } from '../project/types.ts';
import { pathOf } from '../version/address.ts';
import { atom, most_entries, tagOf } from './atom.ts';
import { feedOf, versionsFeed } from './places.ts';

/** A project's versions as a feed, with what changed in each. Source: issue 5 item 11. */
export const versions: Machine = async (asked, type = '', slug = '') => {
  const { services, language, messages, url, shows } = asked;
  const site = services.settings.SITE_URL;
  const found = await publicProject(services, type, slug, shows);
  if (!found) return null;
  const { project, moved } = found;
  const path = versionsFeed(project);
  if (moved) return { to: path + url.search };
  const entries = (await recent(services.sql, project.id, most_entries)).map((version) => ({
    id: tagOf(site, 'version', version.id),
    title: version.name.includes(version.version_number)
      ? version.name
      : messages.t('feeds.version', {
          number: isolated(version.version_number),
          name: isolated(version.name),
        }),
    url: addressIn(asked, pathOf(project, version, version.repeated)),
    published: version.date_published,
    updated: version.date_published,
    author: version.author,
    html: version.html,
    categories: [version.version_type, ...version.loaders, ...version.game_versions],
  }));
  const feed = {
    id: tagOf(site, 'project', project.id),
    title: messages.t('feeds.versions', { title: isolated(project.title) }),
    subtitle: project.description,
    language: language.tag,
    self: addressIn(asked, path),
    page: addressIn(asked, `${projectPath(project)}/versions`),
    icon: project.icon_url,
    since: project.approved ?? project.published,
    entries,
  };
  return feedOf(atom(feed, site));
};
