import { type Messages, messages } from '#content/messages.ts';
import { bylineOf } from '#db/projects/public.ts';
import { isolated } from '../machines/xml.ts';
import { publicProject } from '../project/public.server.ts';
import { shownKind } from '../project/types.ts';
import type { Services } from '../services.ts';
import { count } from '../text/format.ts';
import { defaultLanguage, type Language, languageOf } from '../text/languages.ts';
import type { Card } from './card.ts';
import { collectionCard, organizationCard, userCard } from './gatherings.server.ts';
import { cardOf, siteCard } from './places.ts';

/** For whom a card is made. */
export interface Asked {
  services: Services;
  words: Messages;
  dir: Language['dir'];
}

/** What is on the picture at an address below /og/, the path where it lies now, or null where nothing is. */
export async function contentAt(
  services: Services,
  path: string,
  hl: string | null,
): Promise<Card | { to: string } | null> {
  const { tag, dir } = (hl ? languageOf(hl) : null) ?? defaultLanguage;
  const asked = { services, words: messages(tag), dir };
  if (path === siteCard) return ofSite(asked);
  const [, type = '', last = ''] = /^\/og\/([a-z]+)\/([^/]+)\.png$/.exec(path) ?? [];
  const name = decoded(last);
  if (!name) return null;
  if (type === 'user') return await userCard(asked, name);
  if (type === 'organization') return await organizationCard(asked, name);
  if (type === 'collection') return await collectionCard(asked, name);
  return await projectCard(asked, type, name);
}

function ofSite({ words: { t }, dir }: Asked): Card {
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

async function projectCard(
  { services, words, dir }: Asked,
  type: string,
  slug: string,
): Promise<Card | { to: string } | null> {
  const found = await publicProject(services, type, slug, () => {});
  if (!found) return null;
  const { project, moved } = found;
  if (moved) return { to: cardOf(project) };
  const { t } = words;
  const { downloads, followers } = project;
  const { maker, icon_key } = await bylineOf(services.sql, project.id);
  const by = maker ? [t('feeds.by', { name: isolated(maker) })] : [];
  return {
    kind: [t(shownKind(project).one), ...by].join(' · '),
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

/** Text of an address; null when it is none, or holds what no name does (and NUL must not reach Postgres). */
function decoded(text: string): string | null {
  try {
    const plain = decodeURIComponent(text);
    return /\p{Cc}/u.test(plain) ? null : plain;
  } catch {
    return null;
  }
}
