import { findCollection } from '#db/catalogue/collections/read.ts';
import { findOrganization } from '#db/catalogue/organizations/read.ts';
import { type Owner, totalsOfOwner } from '#db/catalogue/projects/by-owner.ts';
import { usersByIdsOrNames } from '#db/platform/people/read.ts';
import { mediaKey } from '#db/platform/storage/url.ts';
import { cardPath, organizationPath, userPath } from '../../platform/paths/routes.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { count } from '../../platform/text/short-numbers.ts';
import type { Card } from './card.ts';
import type { CardRequest } from './card-request.ts';

const keyOf = ({ services }: CardRequest, url: string | null): string | null =>
  url && mediaKey(services.settings, url);

async function facts({ services, texts }: CardRequest, owner: Owner): Promise<string[]> {
  const { projects, downloads } = await totalsOfOwner(services.sql, owner);
  return [
    texts.t('feeds.count', { count: projects, shown: count(texts, projects) }),
    texts.t('project.downloads', { count: downloads, shown: count(texts, downloads) }),
  ];
}

/** The image of a user. */
export async function userCard(request: CardRequest, name: string): Promise<Card | { to: string } | null> {
  const [user] = await usersByIdsOrNames(request.services, [name]);
  if (!user) return null;
  if (user.username !== name) return { to: cardPath(userPath(user.username)) };
  return {
    kind: request.texts.t('feeds.person'),
    title: user.username,
    name: user.username,
    summary: user.bio ?? '',
    facts: await facts(request, { user_id: user.id }),
    color: null,
    icon_key: keyOf(request, user.avatar_url),
    seed: user.id,
    dir: request.dir,
  };
}

/** The image of an organization. */
export async function organizationCard(
  request: CardRequest,
  slug: string,
): Promise<Card | { to: string } | null> {
  const found = await findOrganization(request.services, slug, null);
  if (!found) return null;
  if (found.slug !== slug) return { to: cardPath(organizationPath(found.slug)) };
  return {
    kind: request.texts.t('feeds.house'),
    title: found.name,
    name: found.slug,
    summary: found.description,
    facts: await facts(request, { organization_id: found.id }),
    color: found.color,
    icon_key: keyOf(request, found.icon_url),
    seed: found.id,
    dir: request.dir,
  };
}

/** The image of a public collection. */
export async function collectionCard(request: CardRequest, id: string): Promise<Card | null> {
  const { services, texts, dir } = request;
  const found = await findCollection(services, id, null);
  if (!found) return null;
  const [curator] = await usersByIdsOrNames(services, [found.user]);
  const number = found.projects.length;
  return {
    kind: texts.t('feeds.kept_by', { name: bidiIsolated(curator?.username ?? '') }),
    title: found.name,
    name: found.id,
    summary: found.description ?? '',
    facts: [texts.t('feeds.count', { count: number, shown: count(texts, number) })],
    color: found.color,
    icon_key: keyOf(request, found.icon_url),
    seed: found.id,
    dir,
  };
}
