import { z } from 'zod';
import {
  type DeletedVersion,
  deletedVersion,
  deletedVersionById,
  goneRefusal,
} from '#db/catalogue/versions/deleted.ts';
import {
  type ListFilters,
  listRows,
  rowById,
  rowByNumber,
  rowsOfProject,
  visibleProject,
} from '#db/catalogue/versions/read.ts';
import type { VersionRow } from '#db/catalogue/versions/row.ts';
import { limits } from '#db/catalogue/versions/rules.ts';
import { changelogQuery } from '#db/catalogue/versions/shape.ts';
import { Refused } from '#db/platform/errors.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import { idShape } from '#db/platform/shape.ts';
import type { MediaSettings } from '#db/platform/storage/url.ts';
import { jsonText, publicRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';
import { streamedArray } from './streamed.ts';

/** A version in one API version: its shape and how a row becomes it. */
export interface VersionAnswer<S extends z.ZodType = z.ZodType> {
  shape: S;
  of(settings: MediaSettings, row: VersionRow): z.input<S>;
}

const tag = 'versions';
const params = z.object({ id: idShape });
const inProject = z.object({ id: z.string() });

/**
 * The routes that read versions, the same in v2 and v3 except for the shape of a version and the filters of a project's
 * list. Source: api-v2 §5; api-v3 §3.4.
 */
export function versionReads<S extends z.ZodType, F extends z.ZodType<ListFilters>>(
  api: Api,
  { shape, of }: VersionAnswer<S>,
  filters: F,
): void {
  publicRoute(api, {
    method: 'get',
    path: '/version/{id}',
    summary: 'Get a version',
    tag,
    reads: ['VERSION_READ'],
    params,
    answer: shape as z.ZodType,
    handle: async ({ sql, services: { settings }, params, actor }) =>
      of(
        settings,
        (await rowById(sql, params.id, actor)) ??
          goneOrNotFound(await deletedVersionById(sql, params.id, actor)),
      ),
  });
  publicRoute(api, {
    method: 'get',
    path: '/versions',
    summary: 'Get several versions; unknown and hidden ones are left out',
    tag,
    reads: ['VERSION_READ'],
    query: changelogQuery.extend({ ids: jsonText(z.array(idShape).max(limits.ids)) }),
    answer: z.array(shape),
    handle: async ({ sql, services: { settings }, query, actor }) => {
      const rows = await listRows(sql, query.ids, actor, { changelog: query.include_changelog });
      return await streamedArray(
        shape,
        mapped(rows, (row) => of(settings, row)),
      );
    },
  });
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/version',
    summary: "List a project's versions, newest first",
    tag,
    reads: ['PROJECT_READ', 'VERSION_READ'],
    params: inProject,
    query: filters,
    answer: z.array(shape),
    handle: async ({ sql, services: { settings }, params, query, actor }) => {
      const rows = await rowsOfProject(sql, params.id, query as ListFilters, actor);
      return await streamedArray(
        shape,
        mapped(rows, (row) => of(settings, row)),
      );
    },
  });
  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/version/{number}',
    summary: "Get a project's version by its id or number",
    tag,
    reads: ['PROJECT_READ', 'VERSION_READ'],
    params: inProject.extend({ number: z.string() }),
    answer: shape as z.ZodType,
    handle: async ({ sql, services: { settings }, params: { id, number }, actor }) => {
      const row = await rowByNumber(sql, id, number, actor);
      if (row) return of(settings, row);
      return goneOrNotFound(await deletedVersion(sql, await visibleProject(sql, id, actor), [number]));
    },
  });
}

/** Refuses `version_deleted` or `version_removed` for a version that was public, else `not_found`. */
function goneOrNotFound(gone: DeletedVersion | null): never {
  throw gone ? goneRefusal(gone) : new Refused('not_found');
}
