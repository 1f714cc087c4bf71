import { z } from 'zod';
import { svgOf } from '#db/catalogue/tags/icons.ts';
import { gameVersions } from '#db/catalogue/tags/read.ts';
import { donationPlatforms, gameVersionTypes, loadersV2, sideTypes } from '#db/catalogue/tags/rules.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { commonTagRoutes, listRoute, named } from '../tags.ts';

const text = z.string();
export const gameVersionShape = z
  .object({ version: text, version_type: z.enum(gameVersionTypes), date: text, major: z.boolean() })
  .meta({ id: 'GameVersion' });
const loaderShape = z.object({ icon: text, name: text, supported_project_types: z.array(text) });
const loaderList = loadersV2.map(({ icon, name, supported_project_types }) => ({
  icon: svgOf(icon),
  name,
  supported_project_types,
}));

/** The tag lists and the statistics, open to everyone. Source: api-v2 §11. */
export function tagRoutes(api: Api): void {
  commonTagRoutes(api, '/tag/license');
  listRoute(api, '/tag/loader', 'Every loader', { answer: z.array(loaderShape), value: loaderList });
  listRoute(api, '/tag/donation_platform', 'Every donation platform', {
    answer: named,
    value: [...donationPlatforms],
  });
  listRoute(api, '/tag/side_type', 'Every side type', { answer: z.array(text), value: [...sideTypes] });

  publicRoute(api, {
    method: 'get',
    path: '/tag/game_version',
    summary: 'Game versions, newest first',
    tag: 'tags',
    query: z.object({
      type: z.enum(gameVersionTypes).optional(),
      major: z.enum(['true', 'false']).optional(),
    }),
    answer: z.array(gameVersionShape),
    handle: async ({ sql, query: { type, major } }) =>
      (await gameVersions(sql)).filter(
        (version) =>
          (type === undefined || version.version_type === type) &&
          (major === undefined || version.major === (major === 'true')),
      ),
  });
}
