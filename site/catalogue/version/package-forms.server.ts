import { z } from 'zod';
import { findProject } from '#db/catalogue/projects/read.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { packLoaderNames } from '#db/catalogue/tags/rules.ts';
import { modManifests } from '#db/catalogue/versions/package-as-mod/manifests.ts';
import { withModArchive } from '#db/catalogue/versions/package-as-mod/mod-archive.ts';
import { mod_part, modFilename, modVersion } from '#db/catalogue/versions/package-as-mod/mod-version.ts';
import { packFileOf } from '#db/catalogue/versions/package-as-mod/origin.ts';
import { packagedMod, projectIcon } from '#db/catalogue/versions/package-as-mod/packaged-mod.ts';
import type { UploadedFile } from '#db/catalogue/versions/prepare.ts';
import { rowById, versionNumbers } from '#db/catalogue/versions/read.ts';
import type { VersionRow } from '#db/catalogue/versions/row.ts';
import { versionNumber } from '#db/catalogue/versions/shape.ts';
import { assertMayPublish } from '#db/catalogue/versions/write.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { idShape } from '#db/platform/shape.ts';
import { storedSource } from '#db/platform/storage/stored-source.ts';
import { versionFileKey } from '#db/platform/storage/url.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { projectPath } from '../../platform/paths/routes.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { stageMadeFile } from '../../platform/upload/upload.ts';
import { publishReceived } from './publish-received.server.ts';

const box = z.string().max(10).optional();
const boxes = Object.fromEntries(packLoaderNames.map((name) => [name, box])) as Record<
  (typeof packLoaderNames)[number],
  typeof box
>;

/** The form of `/{type}/{id}/version/{version}/package`. */
export const packageForm = defineForm({
  action: '/_internal/versions/package',
  shape: z
    .object({
      project_id: idShape,
      version_id: idShape,
      version_number: versionNumber,
      ...boxes,
    })
    .transform(({ project_id, version_id, version_number, ...chosen }) => ({
      ...{ project_id, version_id, version_number },
      loaders: packLoaderNames.filter((name) => chosen[name] !== undefined),
    }))
    .refine(({ loaders }) => loaders.length > 0, { path: ['loaders'] }),
  fields: ['loaders', 'version_number', ...packLoaderNames],
  invalid: { loaders: 'packaging.no_loader', version_number: 'packaging.number_invalid' },
  errors: { version_number_taken: 'version_number', version_number_used: 'version_number' },
});

type Chosen = z.output<typeof packageForm.shape>;

/**
 * Publishes the data pack of a version as a mod: a jar with its files and a manifest for each chosen loader, a version of
 * the same project by the functions that publish every version. Refuses what they refuse, `version_number_taken`,
 * `version_not_data_pack`, `data_pack_not_zip` and `data_pack_manifest_missing`. Source: screens §A.4 (version page).
 */
export function packageAsModRoutes(api: Api, services: AppServices): void {
  const { sql } = services;
  formRoute(api, packageForm, {
    needs: ['VERSION_CREATE'],
    page: ({ project_id, version_id }) =>
      ['/project', project_id, 'version', version_id, 'package'].map(String).join('/'),
    async run({ c, actor, fields }) {
      const { project_id, version_id, version_number, loaders } = fields;
      await assertMayPublish(sql, project_id, actor);
      const [origin, project] = await Promise.all([
        rowById(sql, version_id, actor),
        findProject(services, project_id, actor),
      ]);
      if (!project || origin?.project_id !== project.id) throw new Refused('not_found');
      await assertNumberFree(sql, project.id, version_number);
      const made = await madeFile(services, project, { origin, fields });
      try {
        const library = (await findProject(services, 'fabric-api', null))?.id ?? null;
        const row = await publishReceived(
          {
            ...{ sql, services, actor, request: c.req.raw },
            begin: async <T>(work: (db: Db) => Promise<T>) => (await sql.begin(work)) as T,
          },
          { data: modVersion(origin, { version_number, loaders, library }), files: [made] },
          // the same form sent twice at once; now the project is locked
          async (tx) => await assertNumberFree(tx, project.id, version_number, { own: 1 }),
        );
        return { to: `${projectPath(project)}/version/${row.id}` };
      } finally {
        await made.content.discard();
      }
    },
  });
}

/** Refuses `version_number_taken` when more than `own` versions of the project have the number. */
async function assertNumberFree(db: Db, project_id: string, number: string, { own = 0 } = {}): Promise<void> {
  const taken = (await versionNumbers(db, project_id)).filter((other) => other === number);
  if (taken.length > own) throw new Refused('version_number_taken', { number });
}

/** The jar of a version's data pack, staged. Refuses what `withModArchive` and `stageMadeFile` refuse. */
async function madeFile(
  services: AppServices,
  project: Project,
  { origin, fields: { version_number: number, loaders } }: { origin: VersionRow; fields: Chosen },
): Promise<UploadedFile> {
  const { sql, storage, settings } = services;
  const { filename: from } = packFileOf(origin);
  const filename = modFilename(project.slug ?? project.id, number);
  const homepage = settings.SITE_URL + projectPath(project);
  const mod = await packagedMod(services, project, origin, { number, homepage });
  const picture = await projectIcon({ sql, storage }, project.id);
  const content = storedSource(storage, versionFileKey(project.id, origin.id, from));
  const staged = await withModArchive(
    { content, filename: from },
    (names) => {
      const own = `${mod.id}.icon.png`;
      const icon = picture ? own : names.has('pack.png') ? 'pack.png' : null;
      const entries = new Map<string, string | Uint8Array>(modManifests({ ...mod, icon }, loaders));
      if (picture) entries.set(own, picture);
      return { entries, modified: new Date(origin.date_published) };
    },
    async (chunks) => await stageMadeFile(services, filename, chunks),
  );
  return { part: mod_part, filename, ...staged };
}
