import { type Card, cardsOf } from '#db/collections/cards.ts';
import { find, following } from '#db/collections/read.ts';
import { followingId } from '#db/collections/rules.ts';
import type { Collection } from '#db/collections/shape.ts';
import { Refused } from '#db/errors.ts';
import { type User, userByIdOrName } from '#db/people/read.ts';

interface Page {
  params: Record<string, string | undefined>;
  url: URL;
  locals: App.Locals;
  redirect(path: string, status: 302): Response;
}

export interface Shown {
  collection: Collection;
  cards: Card[];
  curator: User | null;
}

/**
 * The collection of a page below /collection/{id} with the cards of its projects. First as anybody sees it; only what
 * is hidden asks who looks, and what oneself follows: whoever is not signed in is led there. Refuses `not_found`.
 */
export async function collectionAt({ params, url, locals, redirect }: Page): Promise<Shown | Response> {
  const { id = '' } = params;
  const { sql } = locals.services;
  const own = id === followingId;
  const actor = own ? await locals.who() : null;
  if (own && !actor) return redirect(`/auth/sign-in?redirect=${encodeURIComponent(url.pathname)}`, 302);
  locals.shows(`collection:${id}`);
  const collection = actor ? await following(sql, actor) : await seenAt(id, locals);
  locals.shows(`user:${collection.user}`);
  for (const project of collection.projects) locals.shows(`project:${project}`);
  const [cards, curator] = await Promise.all([
    cardsOf(sql, collection.projects),
    userByIdOrName(sql, collection.user),
  ]);
  return { collection, cards, curator };
}

async function seenAt(id: string, { services: { sql }, who, shows }: App.Locals): Promise<Collection> {
  const collection = (await find(sql, id, null)) ?? (await find(sql, id, await who()));
  if (collection) return collection;
  shows('list:collections'); // it may be there as soon as one of its projects is
  throw new Refused('not_found');
}
