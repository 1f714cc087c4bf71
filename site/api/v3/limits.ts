import { z } from 'zod';
import { ownedCollections } from '#db/catalogue/collections/read.ts';
import { perPerson as maxCollections } from '#db/catalogue/collections/rules.ts';
import { ownedOrganizations } from '#db/catalogue/organizations/read.ts';
import { perPerson as maxOrganizations } from '#db/catalogue/organizations/rules.ts';
import { limits } from '#db/catalogue/projects/limits.ts';
import { ownedProjects } from '#db/catalogue/projects/owned.ts';
import { isAdmin } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const nouns: Record<string, { max: number; count(db: Db, user_id: string): Promise<number> }> = {
  projects: { max: limits.per_user, count: ownedProjects },
  organizations: { max: maxOrganizations, count: ownedOrganizations },
  collections: { max: maxCollections, count: ownedCollections },
};

/** The maximum of administrators, 2^64 - 1, as text: a JavaScript number cannot hold it. Source: api-behaviours §17 (20). */
const unlimited = '18446744073709551615';

/** How many projects, organizations and collections the caller may have. Source: api-v3 §3.7. */
export function limitRoutes(api: Api): void {
  for (const [noun, { max, count }] of Object.entries(nouns)) {
    authenticatedRoute(api, {
      method: 'get',
      path: `/limits/${noun}`,
      summary: `How many ${noun} the caller owns, and how many are allowed`,
      tag: 'users',
      needs: 'any token',
      answer: z.object({ current: z.int(), max: z.number() }),
      handle: async ({ sql, actor }) => {
        const current = await count(sql, actor.user_id);
        const text = `{"current":${current},"max":${isAdmin(actor) ? unlimited : max}}`;
        const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
        return new Response(text, { headers });
      },
    });
  }
}
