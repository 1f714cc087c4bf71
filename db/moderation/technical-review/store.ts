import { writePackFiles } from '../../catalogue/external-files/message.ts';
import { lockProject } from '../../catalogue/versions/write.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { settleAttribution } from '../attribution/settle.ts';
import { tellTeam } from '../holds/tell-team.ts';
import { gravest, issueTypes, type Severity } from '../scanner/rules.ts';
import type { ScanResult } from '../scanner/scan-file.ts';
import { type Announcing, holdIfDangerous } from './hold.ts';
import { settleUnread } from './hold-unread.ts';
import { needsVerdict, type Verdict } from './rules.ts';

/** A trace as a scanner reports it. */
export interface NewTrace {
  issue_type: string;
  severity: Severity;
  key: string;
  jar: string;
  file_path: string;
  disassembly: string;
  data: Record<string, unknown>;
}

interface ScannedFile {
  file_id: string;
  version_id: string;
  project_id: string;
}

/**
 * Stores what the scan of a file found, in place of what the scan before it found; verdicts about the same trace stay. A version
 * with a dangerous trace is held in the same transaction. Refuses `project_unknown` when the project is gone.
 */
export async function storeScan(
  tx: Db,
  file: ScannedFile,
  result: ScanResult,
  { announcing, now }: { announcing: Announcing; now: Date },
): Promise<void> {
  const { version_id, project_id } = file;
  if (await saysNothing(tx, file, result)) {
    // nobody who publishes waits for this: the project is not locked, and after a crash the file is scanned again
    await tx`set local synchronous_commit = off`;
    if (!(await storeState(tx, file, result, now))) return;
    await recordEvent(tx, { name: 'version.scanned', project_id, version_id, data: { is_held: false } });
    return;
  }
  await lockProject(tx, project_id);
  const stored = await storeState(tx, file, result, now);
  if (!stored) return;
  await replaceTraces(tx, file.file_id, result.traces as unknown as NewTrace[], {
    types: issueTypes,
    reason: 'delphi',
    now,
  });
  await storePackFiles(tx, file.file_id, result.pack_files);
  if (stored.is_first) await writePackFiles(tx, project_id, now);
  if (result.pack_files.length > 0) {
    const open = await settleAttribution(tx, project_id, { actor_id: null, now });
    if (open.length > 0) await tellTeam(tx, project_id, announcing.words.attribution(open), now);
  }
  await settleUnread(tx, file, { announcing, now });
  const is_held = await holdIfDangerous(tx, version_id, { announcing, byPerson: false, now });
  await recordEvent(tx, { name: 'version.scanned', project_id, version_id, data: { is_held } });
}

/** Whether a result changes nothing but that the file was scanned, as most do: nothing was found, and nothing had been. */
async function saysNothing(
  tx: Db,
  { file_id, project_id }: ScannedFile,
  { traces, pack_files, complete }: ScanResult,
): Promise<boolean> {
  if (traces.length > 0 || pack_files.length > 0 || !complete) return false;
  const [row] = await tx`
    select from projects where id = ${project_id} and status <> 'processing'
      and not exists (select from scan_reports where file_id = ${file_id})
      and not exists (select from pack_files where file_id = ${file_id})
      and not exists (select from versions v join files f on f.version_id = v.id
        where f.id = ${file_id} and 'unread' = any(v.held_for))`;
  return row !== undefined;
}

/** Stores that a file was scanned; gives whether it was for the first time, null when it was deleted meanwhile. */
async function storeState(
  tx: Db,
  { file_id }: ScannedFile,
  { rules_version, complete }: ScanResult,
  now: Date,
): Promise<{ is_first: boolean } | null> {
  const [row] = await tx<Array<{ is_first: boolean }>>`
    update file_scans s set state = 'done', problem = null, scanned = ${now}, rules_version = ${rules_version},
      complete = ${complete}
    from (select rules_version is null as is_first from file_scans where file_id = ${file_id} for update) before
    where s.file_id = ${file_id} returning before.is_first`;
  return row ?? null;
}

async function storePackFiles(tx: Db, file_id: string, pack_files: ScanResult['pack_files']): Promise<void> {
  await tx`delete from pack_files where file_id = ${file_id}`;
  if (pack_files.length === 0) return;
  await tx`
    insert into pack_files (file_id, sha1, path) select ${file_id}, sha1, path
    from jsonb_to_recordset(${tx.json(storable(pack_files) as never)}) as n (sha1 text, path text)`;
}

/** Replaces the traces of these issue types in the report of a file; gives the report's id, null when nothing is left. */
export async function replaceTraces(
  tx: Db,
  file_id: string,
  traces: readonly NewTrace[],
  { types, reason, now }: { types: readonly string[]; reason: 'delphi' | 'manual'; now: Date },
): Promise<string | null> {
  const before = await tx<
    Array<{ slot: string; verdict: Verdict | null; decided: string | null; decided_by: string | null }>
  >`
    select t.key || ' ' || t.jar || ' ' || t.file_path as slot, t.verdict, t.decided, t.decided_by
    from scan_traces t join scan_issues i on i.id = t.issue_id join scan_reports r on r.id = i.report_id
    where r.file_id = ${file_id} and i.issue_type = any(${types as string[]})`;
  const known = new Map(before.map(({ slot, ...decision }) => [slot, decision]));
  await tx`
    delete from scan_issues i using scan_reports r
    where r.id = i.report_id and r.file_id = ${file_id} and i.issue_type = any(${types as string[]})`;
  const report_id = await reportOf(tx, file_id, traces, { reason, now });
  if (report_id === null) return null;
  const slotOf = ({ key, jar, file_path }: NewTrace) => `${key} ${jar} ${file_path}`;
  for (const issue_type of new Set(traces.map((trace) => trace.issue_type))) {
    const [issue] = await tx<Array<{ id: string }>>`
      insert into scan_issues ${tx({ id: newId(), report_id, issue_type })}
      on conflict (report_id, issue_type) do update set issue_type = excluded.issue_type returning id`;
    const rows = traces
      .filter((trace) => trace.issue_type === issue_type)
      .map(({ issue_type: _, ...trace }) => {
        const {
          verdict = null,
          decided = null,
          decided_by = null,
        } = known.get(slotOf({ issue_type, ...trace })) ?? {};
        const data = tx.json(storable(trace.data) as never);
        return { ...storable(trace), data, id: newId(), issue_id: issue!.id, verdict, decided, decided_by };
      });
    for (let at = 0; at < rows.length; at += 100)
      await tx`insert into scan_traces ${tx(rows.slice(at, at + 100) as never)}`;
  }
  const isNew = traces.some((trace) => needsVerdict(trace.severity) && !known.has(slotOf(trace)));
  await settleReport(tx, report_id, { reopen: isNew });
  return report_id;
}

/** Texts of hostile files without what Postgres does not store. */
function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, storable(one)])) as T;
}

async function reportOf(
  tx: Db,
  file_id: string,
  traces: readonly NewTrace[],
  { reason, now }: { reason: 'delphi' | 'manual'; now: Date },
): Promise<string | null> {
  const [there] = await tx<Array<{ id: string }>>`select id from scan_reports where file_id = ${file_id}`;
  if (there) return there.id;
  if (traces.length === 0) return null;
  const row = { id: newId(), file_id, flag_reason: reason, severity: 'low', created: now, open: false };
  await tx`insert into scan_reports ${tx(row)}`;
  return row.id;
}

/**
 * Brings a report's severity up to date with its traces. `reopen`: somebody has to look again. A report without traces is
 * deleted, unless its version is held: then a person has to release it.
 */
async function settleReport(tx: Db, report_id: string, { reopen }: { reopen: boolean }): Promise<void> {
  const found = await tx<Array<{ severity: Severity }>>`
    select distinct t.severity from scan_traces t join scan_issues i on i.id = t.issue_id
    where i.report_id = ${report_id}`;
  const [version] = await tx<Array<{ is_held: boolean }>>`
    select 'review' = any(v.held_for) as is_held from scan_reports r join files f on f.id = r.file_id join versions v on v.id = f.version_id
    where r.id = ${report_id}`;
  const is_held = version?.is_held ?? false;
  const severity = gravest(found.map((trace) => trace.severity));
  if (severity === null && !is_held) {
    await tx`delete from scan_reports where id = ${report_id}`;
    return;
  }
  const counts = is_held || needsVerdict(severity ?? 'low');
  await tx`
    update scan_reports set severity = ${severity ?? 'low'}, open = ${counts} and (open or ${reopen}),
      reviewed = case when ${reopen} then null else reviewed end
    where id = ${report_id}`;
}
