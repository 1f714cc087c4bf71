import { projectOf } from '#db/catalogue/projects/row.ts';
import type { Records } from '../../platform/ready-answers/records.ts';
import type { Api } from '../../platform/route/types.ts';
import { versionFiles } from '../version-files.ts';
import { projectV3 } from './mapping.ts';
import { projectV3Shape } from './project-shape.ts';
import { individualV3Shape, updateV3Shape } from './version-filters.ts';
import { versionV3, versionV3Shape } from './version-shape.ts';

/** Versions by the hashes of their files, with v3 shapes. Source: api-v3 §3.4. */
export function versionFileRoutesV3(api: Api, records: Records | null): void {
  versionFiles(api, {
    api: 'v3',
    records,
    version: { shape: versionV3Shape, of: versionV3 },
    project: {
      shape: projectV3Shape,
      of: (settings, row) => projectV3(projectOf(settings, row), row) as never,
    },
    update: updateV3Shape,
    individual: individualV3Shape,
  });
}
