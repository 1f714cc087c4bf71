import type { Api } from '../../platform/route/types.ts';
import { versionReads } from '../version-reads.ts';
import { versionWrites } from '../version-writes.ts';
import { createV3Shape, editV3Shape } from './version-fields.ts';
import { listQuery } from './version-filters.ts';
import { versionV3, versionV3Shape } from './version-shape.ts';

const answer = { shape: versionV3Shape, of: versionV3 };

/** Versions with v3 shapes. Source: api-v3 §3.4. */
export function versionRoutesV3(api: Api): void {
  versionReads(api, answer, listQuery);
  versionWrites(api, { ...answer, create: createV3Shape, edit: editV3Shape });
}
