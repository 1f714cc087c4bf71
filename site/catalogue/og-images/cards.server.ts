import { messages } from '#content/messages.ts';
import { bylineOf } from '#db/catalogue/projects/public.ts';
import type { AppServices } from '../../platform/context.ts';
import { typeOfProject } from '../../platform/paths/project-types.ts';
import { projectCardPath, site_card_path } from '../../platform/paths/routes.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { defaultLanguage, languageOf } from '../../platform/text/languages.ts';
import { count } from '../../platform/text/short-numbers.ts';
import { loadPublicProject } from '../project/public.server.ts';
import type { Card } from './card.ts';
import type { CardRequest } from './card-request.ts';
import { collectionCard, organizationCard, userCard } from './listing-cards.server.ts';

/** The content of the image at an address below /og/, the path it moved to, or null for 404. */
export async function cardContent(
  services: AppServices,
  path: string,
  hl: string | null,
): Promise<Card | { to: string } | null> {
  const { tag, dir } = (hl ? languageOf(hl) : null) ?? defaultLanguage;
  const request = { services, texts: messages(tag), dir };
  if (path === site_card_path) return siteCardContent(request);
  const [, type = '', last = ''] = /^\/og\/([a-z]+)\/([^/]+)\.png$/.exec(path) ?? [];
  const name = decoded(last);
  if (!name) return null;
  if (type === 'user') return await userCard(request, name);
  if (type === 'organization') return await organizationCard(request, name);
  if (type === 'collection') return await collectionCard(request, name);
  return await projectCard(request, type, name);
}

function siteCardContent({ services, texts: { t }, dir }: CardRequest): Card {
  const game = services.settings.GAME_NAME;
  return {
    kind: '',
    title: t('home.headline', { game }),
    name: 'Cairn',
    summary: t('home.lead', { game }),
    facts: [],
    color: null,
    icon_key: null,
    seed: 'home',
    dir,
  };
}

async function projectCard(
  { services, texts, dir }: CardRequest,
  type: string,
  slug: string,
): Promise<Card | { to: string } | null> {
  const found = await loadPublicProject(services, type, slug, () => {});
  if (!found) return null;
  const { project, moved } = found;
  if (moved) return { to: projectCardPath(project) };
  const { t } = texts;
  const { downloads, followers } = project;
  const { maker, icon_key } = await bylineOf(services.sql, project.id);
  const by = maker ? [t('feeds.by', { name: bidiIsolated(maker) })] : [];
  return {
    kind: [t(typeOfProject(project).one), ...by].join(' · '),
    title: project.title,
    name: project.slug ?? project.id,
    summary: project.description,
    facts: [
      t('project.downloads', { count: downloads, shown: count(texts, downloads) }),
      t('project.followers', { count: followers, shown: count(texts, followers) }),
    ],
    color: project.color,
    icon_key,
    seed: project.id,
    dir,
  };
}

/**
 * A decoded path segment; null when it cannot be decoded or contains characters that no name has (NUL must not reach
 * Postgres).
 */
function decoded(text: string): string | null {
  try {
    const plain = decodeURIComponent(text);
    return /\p{Cc}/u.test(plain) ? null : plain;
  } catch {
    return null;
  }
}
