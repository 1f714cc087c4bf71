import { messages } from '#content/messages.ts';
import { faceOf } from '#db/projects/public.ts';
import { isolated } from '../machines/xml.ts';
import { publicProject } from '../project/public.server.ts';
import { shownKind } from '../project/types.ts';
import type { Services } from '../services.ts';
import { count } from '../text/format.ts';
import { defaultLanguage, languageOf } from '../text/languages.ts';
import type { Card } from './card.ts';
import { cardOf } from './places.ts';

/** What is on the picture at an address below /og/, the path where it lies now, or null where nothing is. */
export async function cardAt(
  services: Services,
  path: string,
  hl: string | null,
): Promise<Card | { to: string } | null> {
  const { tag, dir } = (hl ? languageOf(hl) : null) ?? defaultLanguage;
  const words = messages(tag);
  const { t } = words;
  if (path === '/og/site.png') {
    return {
      kind: '',
      title: t('home.headline'),
      name: 'Cairn',
      summary: t('shell.description'),
      facts: [],
      color: null,
      icon_key: null,
      seed: 'home',
      dir,
    };
  }
  const [, type, name] = /^\/og\/([a-z]+)\/([^/]+)\.png$/.exec(path) ?? [];
  const slug = name && decoded(name);
  if (!type || !slug) return null;
  const found = await publicProject(services, type, slug, () => {});
  if (!found) return null;
  const { project, moved } = found;
  if (moved) return { to: cardOf(project) };
  const { downloads, followers } = project;
  const { maker, icon_key } = await faceOf(services.sql, project.id);
  return {
    kind: [t(shownKind(project).one), ...(maker ? [t('feeds.by', { name: isolated(maker) })] : [])].join(
      ' · ',
    ),
    title: project.title,
    name: project.slug ?? project.id,
    summary: project.description,
    facts: [
      t('project.downloads', { count: downloads, shown: count(words, downloads) }),
      t('project.followers', { count: followers, shown: count(words, followers) }),
    ],
    color: project.color,
    icon_key,
    seed: project.id,
    dir,
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
