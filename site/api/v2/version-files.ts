import { projectOf } from '#db/catalogue/projects/row.ts';
import { projectShape } from '#db/catalogue/projects/shape.ts';
import { versionOf } from '#db/catalogue/versions/row.ts';
import { individualShape, updateShape, versionShape } from '#db/catalogue/versions/shape.ts';
import type { Records } from '../../platform/ready-answers/records.ts';
import type { Api } from '../../platform/route/types.ts';
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
