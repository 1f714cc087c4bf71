import { z } from 'zod';
import { named } from '#db/discovery/search/documents/hits.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { AppServices } from '../../platform/context.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { type SearchTexts, searched, searchResponse, searchShape } from '../search.ts';

const text = z.string();

const hitV3Shape = z
  .object({
    version_id: text.optional(),
    project_id: text,
    project_types: z.array(text),
    slug: text,
    author: text,
    name: text,
    summary: text,
    categories: z.array(text),
    downloads: z.int(),
    follows: z.int(),
    icon_url: text.nullable(),
    date_created: text,
    date_modified: text,
    license: text,
    loaders: z.array(text),
  })
  .loose()
  .meta({ id: 'SearchHitV3' });

const answer = z
  .object({ hits: z.array(hitV3Shape), page: z.int(), hits_per_page: z.int(), total_hits: z.int() })
  .meta({ id: 'SearchResultV3' });

async function answered(services: AppServices, texts: SearchTexts, actor: Actor | null): Promise<Response> {
  const { query, found, hits, private: own } = await searched(services, texts, actor, 3);
  const body = {
    hits: await named(services, hits),
    page: Math.floor(query.offset / query.limit) + 1,
    hits_per_page: query.limit,
    total_hits: found.total,
  };
  return searchResponse(body, own);
}

/** `GET` and `POST /v3/search`: the same search with v3 names, in the address or as JSON strings. Source: search §2. */
export function searchRoutes(api: Api): void {
  const shared = { path: '/search', tag: 'projects', answer, reads: ['USER_READ' as const] };
  publicRoute(api, {
    ...shared,
    method: 'get',
    summary: 'Search projects',
    query: searchShape,
    handle: ({ services, query, actor }) => answered(services, query, actor),
  });
  publicRoute(api, {
    ...shared,
    method: 'post',
    summary: 'Search projects, with a JSON body',
    body: searchShape,
    handle: ({ services, body, actor }) => answered(services, body, actor),
  });
}
