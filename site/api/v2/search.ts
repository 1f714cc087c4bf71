import { z } from 'zod';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { searched, searchResponse, searchShape } from '../search.ts';

const text = z.string();
const texts = z.array(text);

/** A project in a search result. Source: api-v2 §2.8. */
export const hitShape = z
  .object({
    project_id: text,
    project_type: text,
    all_project_types: texts,
    slug: text,
    author: text,
    author_id: text,
    organization: text.nullable(),
    organization_id: text.nullable(),
    title: text,
    description: text,
    categories: texts,
    display_categories: texts,
    versions: texts,
    downloads: z.int(),
    follows: z.int(),
    icon_url: text,
    date_created: text,
    date_modified: text,
    latest_version: text,
    license: text,
    client_side: text,
    server_side: text,
    environment: texts,
    disclosure_types: texts,
    gallery: texts,
    featured_gallery: text.nullable(),
    color: z.int().nullable(),
  })
  .meta({ id: 'SearchHit' });

export const searchResultShape = z
  .object({ hits: z.array(hitShape), offset: z.int(), limit: z.int(), total_hits: z.int() })
  .meta({ id: 'SearchResult' });

/** `GET /v2/search`, open to everyone; `followed=true` needs USER_READ. Source: search §2; api-v2 §3. */
export function searchRoutes(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/search',
    summary: 'Search projects',
    tag: 'projects',
    query: searchShape,
    answer: searchResultShape,
    reads: ['USER_READ'],
    handle: async ({ services, query, actor }) => {
      const { query: asked, found, hits, private: own } = await searched(services, query, actor, 2);
      return searchResponse({ hits, offset: asked.offset, limit: asked.limit, total_hits: found.total }, own);
    },
  });
}
