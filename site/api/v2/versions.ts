import { listFiltersOf } from '#db/catalogue/versions/read.ts';
import { versionOf } from '#db/catalogue/versions/row.ts';
import { createShape, editShape, filtersShape, versionShape } from '#db/catalogue/versions/shape.ts';
import type { Api } from '../../platform/route/types.ts';
import { versionReads } from '../version-reads.ts';
import { versionWrites } from '../version-writes.ts';

const answer = { shape: versionShape, of: versionOf };

/** The version routes of v2, except those by hash. Source: api-v2 §5. */
export function versionRoutes(api: Api): void {
  versionReads(api, answer, filtersShape.transform(listFiltersOf));
  versionWrites(api, { ...answer, create: createShape, edit: editShape });
}
