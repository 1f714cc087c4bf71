import { pinnedProjects } from '#db/accounts/pins/read.ts';
import { collectionsOfUser as collectionsOf } from '#db/catalogue/collections/read.ts';
import { followersOfUser } from '#db/catalogue/follows/people.ts';
import { type Organization, organizationsOf } from '#db/catalogue/organizations/read.ts';
import { type OwnerTotals, type ProfileProject, totalsOfOwner } from '#db/catalogue/projects/by-owner.ts';
import { Refused } from '#db/platform/errors.ts';
import { bannerOf } from '#db/platform/people/banner.ts';
import { collaboratorsOf } from '#db/platform/people/collaborators.ts';
import { linksOf } from '#db/platform/people/links.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import type { User } from '#db/platform/people/shape.ts';
import {
  type LoadedList,
  listPayload,
  loadList,
  movedTo,
  type PageContext,
} from '../../catalogue/profile/profile.server.ts';
import { collectionsPart, userCollectionsPath, userPath } from '../../platform/paths/routes.ts';
import { type CollectionList, loadCollections, type Tile, tilesOf } from './collections.server.ts';

export interface UserProfile {
  user: User;
  figures: OwnerTotals;
  organizations: Organization[];
  /** Their collaborators. */
  companions: User[];
  /** Where else they are found. */
  links: string[];
  /** The wide picture on top. */
  banner_url: string | null;
  /** How many people follow them. */
  followers: number;
  /** The number of their listed collections. */
  collections: number;
  /** The path of the profile. */
  base: string;
  /** The content of the tab: projects, or collections. */
  listed: LoadedList | null;
  gathered: CollectionList | null;
  /** The first collections, on the first page of the project list. */
  tiles: Tile[];
  /** Pinned projects, on the first page of the project list. */
  pinned: ProfileProject[];
}

const max_tiles = 6;

/**
 * Loads a page below /user/{id or name}, or gives the redirect to the canonical name. The same for every visitor.
 * Refuses `not_found`.
 */
export async function loadProfile(page: PageContext): Promise<UserProfile | Response> {
  const { params, locals } = page;
  const { services, tag } = locals;
  const requested = params.id ?? '';
  tag(`user:${requested}`);
  const user = await userByIdOrName(services, requested);
  if (!user) throw new Refused('not_found');
  tag(`user:${user.id}`);
  const base = userPath(user.username);
  if (user.username !== requested) return movedTo(page, base);
  const inCollections = params.projectType === collectionsPart;
  const [list, organizations, companions, all, links, banner_url, followers] = await Promise.all([
    inCollections ? null : loadList(page, { user_id: user.id }, base),
    organizationsOf(services, user.id, null),
    collaboratorsOf(services, user.id),
    collectionsOf(services, user.id, null),
    linksOf(services.sql, user.id),
    bannerOf(services, user.id),
    followersOfUser(services.sql, user.id),
  ]);
  for (const { id } of organizations) tag(`organization:${id}`);
  for (const { id } of companions) tag(`user:${id}`);
  tag('counts');
  if (list instanceof Response) return list;
  const gathered = inCollections
    ? await loadCollections(page, all, userCollectionsPath(user.username))
    : null;
  if (gathered instanceof Response) return gathered;
  locals.exposeData({
    user,
    banner_url,
    links,
    followers,
    organizations,
    ...listPayload(list),
    collections: all.length,
  });
  // without a project there is nothing to search in
  const isWhole = list?.figures.projects === 0 || (list?.state.page === 1 && list.state.text === '');
  const begins = list !== null && list.kind === null && isWhole;
  const pinned = begins ? await pinnedProjects(services, { user_id: user.id }) : [];
  for (const { id } of pinned) tag(`project:${id}`);
  return {
    ...{ user, organizations, companions, links, banner_url, followers, base, gathered, pinned },
    figures: list?.figures ?? (await totalsOfOwner(services.sql, { user_id: user.id })),
    collections: all.length,
    listed: list,
    tiles: begins ? await tilesOf(locals, all.slice(0, max_tiles)) : [],
  };
}
