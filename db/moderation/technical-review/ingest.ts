import type { z } from 'zod';
import { lockProject } from '../../catalogue/versions/write.ts';
import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { issueTypes } from '../scanner/rules.ts';
import { type Announcing, holdIfDangerous } from './hold.ts';
import { manual_type } from './rules.ts';
import type { ingestShape } from './shape.ts';
import { replaceTraces } from './store.ts';

/**
 * Stores what another scanner found in a file, in place of what it found before: the issue types that it names. Types of our own
 * scanner and reports of people are refused with `issue_type_reserved`, an unknown file with `file_unknown`.
 */
export async function ingestFindings(
  tx: Db,
  { file_id, issues }: z.output<typeof ingestShape>,
  { announcing, now }: { announcing: Announcing; now: Date },
): Promise<void> {
  const types = Object.keys(issues);
  const reserved = types.find(
    (type) => type === manual_type || (issueTypes as readonly string[]).includes(type),
  );
  if (reserved !== undefined) throw new Refused('issue_type_reserved', { type: reserved });
  const [file] = await tx<Array<{ version_id: string; project_id: string }>>`
    select f.version_id, v.project_id from files f join versions v on v.id = f.version_id where f.id = ${file_id}`;
  if (!file) throw new Refused('file_unknown', { hash: file_id });
  await lockProject(tx, file.project_id);
  const traces = Object.entries(issues).flatMap(([issue_type, found]) =>
    found.map(({ jar, decompiled_source, ...trace }) => ({
      ...trace,
      issue_type,
      jar: jar ?? '',
      disassembly: decompiled_source ?? '',
    })),
  );
  await replaceTraces(tx, file_id, traces, { types, reason: 'delphi', now });
  await holdIfDangerous(tx, file.version_id, { announcing, byPerson: false, now });
}
