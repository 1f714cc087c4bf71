import { z } from 'zod';
import { svgOf } from '#db/catalogue/tags/icons.ts';
import { licenses, licenseText } from '#db/catalogue/tags/read.ts';
import { categories, projectTypes, reportTypes } from '#db/catalogue/tags/rules.ts';
import { statistics } from '#db/discovery/statistics/read.ts';
import { Refused } from '#db/platform/errors.ts';
import { publicRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

/** How long a license may be cached: its text never changes. */
const day_s = 86_400;

const text = z.string();
export const licenseShape = z.object({ title: text, body: text });
export const named = z.array(z.object({ short: text, name: text }));
const categoryShape = z.object({ icon: text, name: text, project_type: text, header: text });
const categoryList = categories.map(({ icon, name, project_type, header }) => ({
  icon: svgOf(icon),
  name,
  project_type,
  header,
}));

/** A route that answers the same list to everyone. */
export function listRoute<A extends z.ZodType>(
  api: Api,
  path: string,
  summary: string,
  { answer, value }: { answer: A; value: z.input<A> },
): void {
  publicRoute(api, { method: 'get', path, summary, tag: 'tags', answer, handle: async () => value as never });
}

/** The tag lists that both versions have, with the licenses below `licensePath`. Source: api-v2 §11; api-v3 §3.5. */
export function commonTagRoutes(api: Api, licensePath: string): void {
  const list = <A extends z.ZodType>(path: string, summary: string, answer: A, value: z.input<A>) =>
    listRoute(api, path, summary, { answer, value });
  list('/tag/category', 'Every category', z.array(categoryShape), categoryList);
  list(licensePath, 'Every SPDX license', named, [...licenses()]);
  list('/tag/report_type', 'Every reason for a report', z.array(text), [...reportTypes]);
  list('/tag/project_type', 'Every project type', z.array(text), [...projectTypes]);

  publicRoute(api, {
    method: 'get',
    path: `${licensePath}/{id}`,
    summary: 'Name and text of a license',
    tag: 'tags',
    params: z.object({ id: text }),
    answer: licenseShape,
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
