import { z } from 'zod';
import { limits } from '#db/catalogue/projects/limits.ts';
import { findProjectRow, randomRows } from '#db/catalogue/projects/read.ts';
import { storedFields } from '#db/catalogue/projects/stored-fields.ts';
import { createFields } from '#db/catalogue/publishing/shape.ts';
import { projectTypes } from '#db/catalogue/tags/rules.ts';
import { dependencyRows } from '#db/catalogue/versions/project-dependencies.ts';
import { Refused } from '#db/platform/errors.ts';
import { newId } from '#db/platform/id.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import { boundedText, httpsUrl, withAliases } from '#db/platform/shape.ts';
import { deleteProject } from '../../catalogue/project-settings/project-delete.server.ts';
import { projectParams } from '../../catalogue/project-settings/project-edit.server.ts';
import { authenticatedRoute, parse, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { type ParsedProject, postProject } from '../project-create.ts';
import { streamedFields } from '../streamed.ts';
import { projectRowV3, projectV3Shape } from './project-shape.ts';
import { initialV3Shape } from './version-fields.ts';
import { versionV3, versionV3Shape } from './version-shape.ts';

const tag = 'projects';
/** Fields under the names that older clients send. Source: api-v3 §3.2. */
const aliases = { mod_name: 'name', mod_slug: 'slug', mod_description: 'summary', mod_body: 'description' };

/** The `data` part of POST /v3/project, converted to v2 names. Source: api-v3 §3.2. */
const createV3Shape = withAliases(
  aliases,
  createFields
    .extend({
      name: storedFields.title.input,
      summary: storedFields.description.input,
      description: boundedText(0, limits.body),
      license_url: httpsUrl.nullish(),
      link_urls: z.record(z.string().max(64), httpsUrl).nullish(),
      initial_versions: z.array(initialV3Shape).max(limits.initial_versions),
    })
    .transform(
      ({ name, summary, description, link_urls, ...data }): ParsedProject => ({
        data: { ...data, title: name, description: summary, body: description, links: link_urls ?? {} },
        modpack: false, // each version says so by its loaders
      }),
    ),
);

/** Creation and deletion of projects in v3. Source: api-v3 §3.1, §3.2. */
export function projectCreateRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/project',
    summary: 'Create a project, with its first versions and images',
    tag,
    create_errors: true,
    needs: ['PROJECT_CREATE'],
    multipart: createV3Shape,
    answer: projectV3Shape,
    handle: async (call) => {
      const id = await postProject(call, (sent) => parse(createV3Shape, sent)!);
      const row = await findProjectRow(call.sql, id, call.actor);
      if (!row) throw new Refused('not_found'); // deleted meanwhile
      return projectRowV3(call.services.settings, row);
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/project/{id}',
    summary: 'Delete a project with its versions and files',
    tag,
    needs: ['PROJECT_DELETE'],
    params: projectParams,
    handle: deleteProject,
  });

  publicRoute(api, {
    method: 'get',
    path: '/projects_random',
    summary: 'Random public projects, of one type if given',
    tag,
    query: z.object({
      count: z.coerce.number().int().min(1).max(limits.random),
      project_type: z.enum(projectTypes).optional(),
    }),
    answer: z.array(projectV3Shape),
    handle: async ({ sql, services, query: { count, project_type } }) =>
      (await randomRows(sql, { count, from: newId(), project_type: project_type ?? null })).map((row) =>
        projectRowV3(services.settings, row),
      ),
  });

  publicRoute(api, {
    method: 'get',
    path: '/project/{id}/dependencies',
    summary: 'The projects and versions that a project depends on',
    tag,
    reads: ['PROJECT_READ'],
    params: projectParams,
    answer: z.object({ projects: z.array(projectV3Shape), versions: z.array(versionV3Shape) }),
    handle: async ({ sql, services: { settings }, params, actor }) => {
      const project = await findProjectRow(sql, params.id, actor);
      if (!project) throw new Refused('not_found');
      const { projects, versions } = await dependencyRows(sql, project.id, actor);
      return await streamedFields({
        projects: { shape: projectV3Shape, items: mapped(projects, (row) => projectRowV3(settings, row)) },
        versions: { shape: versionV3Shape, items: mapped(versions, (row) => versionV3(settings, row)) },
      });
    },
  });
}
