import { findCollection } from '#db/collections/read.ts';
import { byIdOrSlug } from '#db/organizations/read.ts';
import { usersByIdsOrNames } from '#db/people/read.ts';
import { type Owner, totalsOfOwner } from '#db/projects/profile.ts';
import { mediaKey } from '#db/storage/url.ts';
import { isolated } from '../machines/xml.ts';
import { organizationPath, userPath } from '../profile/places.ts';
import { count } from '../text/format.ts';
import type { Card } from './card.ts';
import type { Asked } from './cards.server.ts';
import { cardAt } from './places.ts';

const keyOf = (url: string | null): string | null => url && mediaKey(url);

async function facts({ services, words }: Asked, whose: Owner): Promise<string[]> {
  const { projects, downloads } = await totalsOfOwner(services.sql, whose);
  return [
    words.t('feeds.count', { count: projects, shown: count(words, projects) }),
    words.t('project.downloads', { count: downloads, shown: count(words, downloads) }),
  ];
}

/** Of a person. */
export async function userCard(asked: Asked, name: string): Promise<Card | { to: string } | null> {
  const [user] = await usersByIdsOrNames(asked.services.sql, [name]);
  if (!user) return null;
  if (user.username !== name) return { to: cardAt(userPath(user.username)) };
  return {
    kind: asked.words.t('feeds.person'),
    title: user.username,
    name: user.username,
    summary: user.bio ?? '',
    facts: await facts(asked, { user_id: user.id }),
    color: null,
    icon_key: keyOf(user.avatar_url),
    seed: user.id,
    dir: asked.dir,
  };
}

/** Of an organization. */
export async function organizationCard(asked: Asked, slug: string): Promise<Card | { to: string } | null> {
  const found = await byIdOrSlug(asked.services.sql, slug);
  if (!found) return null;
  if (found.slug !== slug) return { to: cardAt(organizationPath(found.slug)) };
  return {
    kind: asked.words.t('feeds.house'),
    title: found.name,
    name: found.slug,
    summary: found.description,
    facts: await facts(asked, { organization_id: found.id }),
    color: found.color,
    icon_key: keyOf(found.icon_url),
    seed: found.id,
    dir: asked.dir,
  };
}

/** Of a collection that strangers may see. */
export async function collectionCard(asked: Asked, id: string): Promise<Card | null> {
  const { services, words, dir } = asked;
  const found = await findCollection(services.sql, id, null);
  if (!found) return null;
  const [curator] = await usersByIdsOrNames(services.sql, [found.user]);
  const number = found.projects.length;
  return {
    kind: words.t('feeds.kept_by', { name: isolated(curator?.username ?? '') }),
    title: found.name,
    name: found.id,
    summary: found.description ?? '',
    facts: [words.t('feeds.count', { count: number, shown: count(words, number) })],
    color: found.color,
    icon_key: keyOf(found.icon_url),
    seed: found.id,
    dir,
  };
}
