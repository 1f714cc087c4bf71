import { z } from 'zod';
import { resolveContent } from '#db/catalogue/versions/resolve.ts';
import { contentTypes, resolveLimits, skipReasons } from '#db/catalogue/versions/resolve-rules.ts';
import { boundedText, idShape } from '#db/platform/shape.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const names = z.array(boundedText(1, 64)).max(resolveLimits.names).default([]);
const preferences = z.object({ game_versions: names, loaders: names });
const requestShape = z.object({
  project_id: boundedText(1, 64),
  version_id: idShape.nullish(),
  content_type: z.enum(contentTypes),
  selected: preferences.default({ game_versions: [], loaders: [] }),
  target: preferences.default({ game_versions: [], loaders: [] }),
  existing_project_ids: z.array(boundedText(1, 64)).max(resolveLimits.existing).default([]),
});

const planned = z.object({
  project_id: z.string(),
  version_id: z.string(),
  dependent_on_version_id: z.string().nullable(),
});
const planShape = z.object({
  primary: planned,
  dependencies: z.array(planned),
  skipped: z.array(
    planned.extend({
      project_id: z.string().nullable(),
      version_id: z.string().nullable(),
      reason: z.enum(skipReasons),
    }),
  ),
});

/** Dependency planning for launchers. Source: api-v3 §3.10. */
export function contentResolveRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/content/resolve',
    summary: 'The versions to install for a project and its required dependencies',
    tag: 'versions',
    reads: ['PROJECT_READ', 'VERSION_READ'],
    body: requestShape,
    answer: planShape,
    handle: async ({ sql, body, actor }) => await resolveContent(sql, body, actor),
  });
}
