import { projectOf } from '#db/projects/row.ts';
import { projectShape } from '#db/projects/shape.ts';
import { versionOf } from '#db/versions/row.ts';
import { individualShape, updateShape, versionShape } from '#db/versions/shape.ts';
import type { Records } from '../ready-answers/records.ts';
import type { Api } from '../route/types.ts';
import { versionFiles } from '../version-files.ts';

/** Versions by the hashes of their files. Source: api-v2 §6. */
export function versionFileRoutes(api: Api, records: Records | null): void {
  versionFiles(api, {
    api: 'v2',
    records,
    version: { shape: versionShape, of: versionOf },
    project: { shape: projectShape, of: projectOf },
    update: updateShape,
    individual: individualShape,
  });
}
