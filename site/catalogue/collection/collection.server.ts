import { type Card, cardsOf } from '#db/catalogue/collections/cards.ts';
import { findCollection, following } from '#db/catalogue/collections/read.ts';
import { followingId } from '#db/catalogue/collections/rules.ts';
import type { Collection } from '#db/catalogue/collections/shape.ts';
import { type FollowedPerson, followedPeople } from '#db/catalogue/follows/people.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { User } from '#db/platform/people/shape.ts';
import type { FormState } from '../../platform/forms/form-state.ts';
import { requireActor } from '../../platform/http/require-actor.ts';
import { lastPage, pageSize, parseList } from '../../platform/lists/list-query.ts';
import type { ProjectTypeInfo } from '../../platform/paths/project-types.ts';
import { collectionPath } from '../../platform/paths/routes.ts';
import { kindOfPage, movedTo, type PageContext, redirectPastEnd } from '../profile/profile.server.ts';
import { type CollectionState, filterItems, orders } from './state.ts';
import { unfollowUserForm } from './unfollow-form.server.ts';

/** A collection and the requested page of it. */
export interface LoadedCollection {
  collection: Collection;
  cards: Card[];
  curator: User | null;
  /** Of `following`: a page of the people whom the current user follows. */
  people: { people: FollowedPerson[]; page: number; pages: number; unfollowing: FormState } | null;
  /** Null for all types. */
  kind: ProjectTypeInfo | null;
  state: CollectionState;
  /** The number of matches, and those on this page. */
  total: number;
  shown: Card[];
  /** The path of the collection, and of the current tab. */
  base: string;
  here: string;
}

/**
 * Loads a page below /collection/{id}, or gives a redirect; beyond the end to the last page. Loads as an anonymous
 * visitor first; only a hidden collection and `following` depend on the current user. Refuses `authentication_required`
 * for `following`, `not_found`, and `page_refused` for unknown types.
 */
export async function loadCollection(page: PageContext): Promise<LoadedCollection | Response> {
  const { url, locals } = page;
  const { id = '' } = page.params;
  const { services } = locals;
  const kind = kindOfPage(page);
  const own = id === followingId;
  if (!own && id.toLowerCase() === followingId) return movedTo(page, collectionPath(followingId));
  const actor = own ? await requireActor(page) : null;
  locals.tag(`collection:${id}`);
  const collection = actor ? await following(services.sql, actor) : await redirectOrCollection(id, locals);
  locals.tag(`user:${collection.user}`);
  for (const project of collection.projects) locals.tag(`project:${project}`);
  const [cards, curator, people] = await Promise.all([
    cardsOf(services, collection.projects, actor ? null : collection.id),
    userByIdOrName(services, collection.user),
    actor && peopleOf(page, actor),
  ]);
  const base = collectionPath(collection.id);
  const here = base + (kind?.path ?? '');
  const state = parseList(url.searchParams, orders);
  const found = filterItems(cards, kind, state);
  const last = lastPage(found.length);
  const data = { collection, curator, type: kind?.type ?? null, total: found.length };
  const loaded = found.slice((state.page - 1) * pageSize, state.page * pageSize);
  locals.exposeData({ ...data, page: state.page, projects: loaded });
  return (
    redirectPastEnd(page, here, state, { sorts: orders, last }) ?? {
      ...{ collection, cards, curator, people, kind, state, total: found.length, shown: loaded, base, here },
    }
  );
}

/** People on one page of the list of those that somebody follows. */
const people_per_page = 24;

/** The asked page of the people whom the actor follows; past the end the last one. */
async function peopleOf({ url, locals }: PageContext, { user_id }: Actor) {
  const asked = Number.parseInt(url.searchParams.get('people') ?? '1', 10) || 1;
  const wanted = Math.min(Math.max(asked, 1), 1000);
  const load = (page: number) =>
    followedPeople(locals.services, user_id, {
      limit: people_per_page,
      offset: (page - 1) * people_per_page,
    });
  const first = await load(wanted);
  const pages = Math.max(1, Math.ceil(first.total / people_per_page));
  const page = Math.min(wanted, pages);
  const { people } = page === wanted ? first : await load(page);
  // nothing is typed in it, and nothing refused
  const unfollowing = { action: unfollowUserForm.action, errors: [], values: {}, refused: false };
  return { people, page, pages, unfollowing };
}

async function redirectOrCollection(
  id: string,
  { services, currentActor, tag }: App.Locals,
): Promise<Collection> {
  const collection =
    (await findCollection(services, id, null)) ?? (await findCollection(services, id, await currentActor()));
  if (collection) return collection;
  tag('list:collections'); // it may become visible as soon as one of its projects does
  throw new Refused('not_found');
}
