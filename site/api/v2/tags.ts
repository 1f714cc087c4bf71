import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { statistics } from '#db/statistics/read.ts';
import { svgOf } from '#db/tags/icons.ts';
import { gameVersions, licenses, licenseText } from '#db/tags/read.ts';
import {
  categories,
  donationPlatforms,
  gameVersionTypes,
  loadersV2,
  projectTypes,
  reportTypes,
  sideTypes,
} from '#db/tags/rules.ts';
import { publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';

/** How long a license may be cached: its text never changes. */
const day_s = 86_400;

const text = z.string();
const named = z.array(z.object({ short: text, name: text }));
const gameVersionShape = z
  .object({ version: text, version_type: z.enum(gameVersionTypes), date: text, major: z.boolean() })
  .meta({ id: 'GameVersion' });

const categoryList = categories.map(({ icon, name, project_type, header }) => ({
  icon: svgOf(icon),
  name,
  project_type,
  header,
}));
const loaderList = loadersV2.map(({ icon, name, supported_project_types }) => ({
  icon: svgOf(icon),
  name,
  supported_project_types,
}));

/** The tag lists and the statistics, open to everyone. Source: api-v2 §11. */
export function tagRoutes(api: Api): void {
  const list = <A extends z.ZodType>(path: string, summary: string, answer: A, value: z.input<A>) =>
    publicRoute(api, {
      method: 'get',
      path,
      summary,
      tag: 'tags',
      answer,
      handle: async () => value as never,
    });

  const categoryShape = z.object({ icon: text, name: text, project_type: text, header: text });
  list('/tag/category', 'Every category', z.array(categoryShape), categoryList);
  const loaderShape = z.object({ icon: text, name: text, supported_project_types: z.array(text) });
  list('/tag/loader', 'Every loader', z.array(loaderShape), loaderList);
  list('/tag/license', 'Every SPDX license', named, [...licenses()]);
  list('/tag/donation_platform', 'Every donation platform', named, [...donationPlatforms]);
  list('/tag/report_type', 'Every reason for a report', z.array(text), [...reportTypes]);
  list('/tag/project_type', 'Every project type', z.array(text), [...projectTypes]);
  list('/tag/side_type', 'Every side type', z.array(text), [...sideTypes]);

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

  publicRoute(api, {
    method: 'get',
    path: '/tag/license/{id}',
    summary: 'Name and text of a license',
    tag: 'tags',
    params: z.object({ id: text }),
    answer: z.object({ title: text, body: text }),
    handle: async ({ params: { id } }) => {
      const found = licenseText(id);
      if (!found) throw new Refused('license_unknown', { license: id });
      return Response.json(found, { headers: { 'cache-control': `public, max-age=${day_s}` } });
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/statistics',
    summary: 'Number of projects, versions, files and authors',
    tag: 'misc',
    answer: z.object({ projects: z.int(), versions: z.int(), authors: z.int(), files: z.int() }),
    handle: async ({ sql }) => await statistics(sql),
  });
}
