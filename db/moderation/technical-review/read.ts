import type { Status } from '../../catalogue/projects/rules.ts';
import { fileUrl } from '../../catalogue/versions/row.ts';
import type { VersionStatus } from '../../catalogue/versions/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { type Severity, severities } from '../scanner/rules.ts';
import { dangerousTraces } from './hold.ts';
import { statusOf, type Verdict } from './rules.ts';
import type { CodePlace, FileReport, ProjectReport, ReviewedTrace } from './shape.ts';

/** Bytes of disassembly that one answer has at most; traces beyond it come without theirs. */
const max_bytes = 4 * 1024 * 1024;

/** A report as stored, with the version it belongs to. */
export type StoredReport = FileReport & { version_id: string; version_number: string; project_id: string };

interface ReportRow {
  report_id: string;
  file_id: string;
  created: string;
  flag_reason: FileReport['flag_reason'];
  severity: Severity;
  file_name: string;
  file_size: number;
  version_id: string;
  version_number: string;
  project_id: string;
  status: VersionStatus;
  project_status: Status;
  file_key: string;
}
interface TraceRow {
  id: string;
  issue_id: string;
  report_id: string;
  issue_type: string;
  key: string;
  jar: string;
  file_path: string;
  disassembly: string;
  data: Record<string, unknown>;
  severity: Severity;
  verdict: Verdict | null;
  everywhere: Verdict | null;
}

/** Which reports: by their id, their project, or one of their issues. */
export type ReportFilter =
  | { report: string }
  | { projects: readonly string[]; open?: boolean }
  | { issue: string };

/** The reports that match, with every trace, in two queries; the gravest first. Checks no rule. Source: api-v3 §5. */
export async function reportsOf(
  { sql, settings }: ReadContext,
  filter: ReportFilter,
): Promise<StoredReport[]> {
  const which =
    'report' in filter
      ? sql`r.id = ${filter.report}`
      : 'issue' in filter
        ? sql`r.id = (select report_id from scan_issues where id = ${filter.issue})`
        : sql`v.project_id = any(${filter.projects as string[]}) ${filter.open ? sql`and r.open` : sql``}`;
  const reports = await sql<ReportRow[]>`
    select r.id as report_id, r.file_id, r.created, r.flag_reason, r.severity, f.filename as file_name,
      f.size as file_size, v.id as version_id, v.version_number, v.project_id, v.status, p.status as project_status, p.file_key
    from scan_reports r join files f on f.id = r.file_id join versions v on v.id = f.version_id
      join projects p on p.id = v.project_id
    where ${which} order by array_position(${severities as unknown as string[]}, r.severity) desc, r.created, r.id limit 500`;
  if (reports.length === 0) return [];
  const traces = await sql<TraceRow[]>`
    select t.id, t.issue_id, i.report_id, i.issue_type, t.key, t.jar, t.file_path, t.data, t.severity, t.verdict,
      case when sum(octet_length(t.disassembly)) over (order by array_position(${severities as unknown as string[]}, t.severity) desc, t.id) <= ${max_bytes}
        then t.disassembly else '' end as disassembly,
      e.verdict as everywhere
    from scan_traces t join scan_issues i on i.id = t.issue_id left join trace_verdicts e on e.key = t.key
    where i.report_id = any(${reports.map(({ report_id }) => report_id)})
    order by array_position(${severities as unknown as string[]}, t.severity) desc, t.jar, t.file_path, t.id`;
  return reports.map(
    ({ version_id, version_number, project_id, status, project_status, file_key, ...report }) => ({
      ...report,
      download_url: fileUrl(
        settings,
        { project_id, id: version_id, status, project_status, file_key },
        { filename: report.file_name },
      ),
      issues: issuesOf(traces.filter((trace) => trace.report_id === report.report_id)),
      ...{ version_id, version_number, project_id },
    }),
  );
}

function issuesOf(traces: readonly TraceRow[]): FileReport['issues'] {
  const issues = new Map<string, FileReport['issues'][number]>();
  for (const trace of traces) {
    const { issue_id: id, report_id, issue_type } = trace;
    const issue = issues.get(id) ?? { id, report_id, issue_type, details: [] };
    issues.set(id, issue);
    issue.details.push(traceOf(trace));
  }
  return [...issues.values()];
}

const traceOf = ({
  id,
  issue_id,
  key,
  jar,
  file_path,
  disassembly,
  data,
  severity,
  verdict,
  everywhere,
}: TraceRow): ReviewedTrace => ({
  ...{ id, issue_id, key, file_path, data, severity },
  jar: jar || null,
  decompiled_source: disassembly || null,
  local_status: verdict,
  global_status: everywhere,
  status: statusOf(verdict, everywhere),
});

/** A report as the API has it. */
export const withoutVersion = ({
  version_id: _,
  version_number: __,
  project_id: ___,
  ...report
}: StoredReport): FileReport => report;

/** Reports by project and version, as the API groups them; the projects in the order given. */
export function byProject(reports: readonly StoredReport[], project_ids: readonly string[]): ProjectReport[] {
  return project_ids.flatMap((project_id) => {
    const own = reports.filter((report) => report.project_id === project_id);
    if (own.length === 0) return [];
    const versions = [...new Set(own.map(({ version_id }) => version_id))].map((version_id) => ({
      version_id,
      files: own.filter((report) => report.version_id === version_id).map(withoutVersion),
    }));
    const max_severity = severities[Math.max(...own.map(({ severity }) => severities.indexOf(severity)))]!;
    return [{ project_id, max_severity, versions }];
  });
}

/** Verdicts about code, with what it does and in how many files it is. */
export interface JudgedCode {
  key: string;
  verdict: Verdict;
  decided: string;
  decided_by: string | null;
  issue_type: string | null;
  severity: Severity | null;
  decompiled_source: string | null;
  files: number;
}

/** Code that was judged everywhere, the newest verdict first; `query` is searched in what the code does. Source: api-v3 §5. */
export async function judgedCode(
  db: Db,
  { limit, page, query }: { limit: number; page: number; query: string },
): Promise<{ total: number; traces: JudgedCode[] }> {
  const pattern = `%${query.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const rows = await db<Array<JudgedCode & { total: number }>>`
    select e.key, e.verdict, e.decided, e.decided_by, t.issue_type, t.severity,
      nullif(t.disassembly, '') as decompiled_source,
      (select count(distinct i.report_id)::int from scan_traces s join scan_issues i on i.id = s.issue_id where s.key = e.key) as files,
      (count(*) over ())::int as total
    from trace_verdicts e left join lateral (
      select i.issue_type, s.severity, s.disassembly from scan_traces s join scan_issues i on i.id = s.issue_id
      where s.key = e.key limit 1) t on true
    where ${query.trim() === ''} or t.disassembly ilike ${pattern} or e.key = ${query.trim()} or t.issue_type = ${query.trim()}
    order by e.decided desc, e.key limit ${limit} offset ${page * limit}`;
  return { total: rows[0]?.total ?? 0, traces: rows.map(({ total: _, ...row }) => row) };
}

/** The places where code with this key was found, 200 at most. */
export const placesOfCode = async (db: Db, key: string): Promise<CodePlace[]> =>
  await db`
    select t.id as detail_id, v.project_id, v.id as version_id, f.id as file_id, t.file_path, nullif(t.jar, '') as jar,
      coalesce(t.verdict, e.verdict, 'pending') as status
    from scan_traces t join scan_issues i on i.id = t.issue_id join scan_reports r on r.id = i.report_id
      join files f on f.id = r.file_id join versions v on v.id = f.version_id left join trace_verdicts e on e.key = t.key
    where t.key = ${key} order by r.created, t.id limit 200`;

/** Hashes of files that are known to be malware. */
export const knownMalware = async (db: Db): Promise<string[]> =>
  (
    await db<Array<{ sha512: string }>>`select sha512 from known_malware order by added desc limit 100000`
  ).map(({ sha512 }) => sha512);

/** What creators see of a version that is held: since when, and which kinds of traces are the reason. */
export async function holdOf(
  db: Db,
  version_id: string,
): Promise<{ since: string; issue_types: string[] } | null> {
  const [row] = await db<Array<{ since: string; issue_types: string[] }>>`
    select v.held as since,
      array(select distinct i.issue_type ${dangerousTraces(db)} and f.version_id = v.id order by 1) as issue_types
    from versions v where v.id = ${version_id} and 'review' = any(v.held_for)`;
  return row ?? null;
}

/** The traces of a report about which somebody has to decide and nobody did; with `jar` those in that archive and what is in it. */
export async function restOfFile(db: Db, report_id: string, jar: string | null): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    select t.id from scan_traces t join scan_issues i on i.id = t.issue_id left join trace_verdicts e on e.key = t.key
    where i.report_id = ${report_id} and t.severity <> 'low' and t.verdict is null and e.verdict is null
      ${jar === null ? db`` : db`and (t.jar = ${jar} or starts_with(t.jar, ${`${jar}!`}))`} limit 500`;
  return rows.map(({ id }) => id);
}

/** In how many other projects the code of these traces was found, by key. */
export async function spreadOf(
  db: Db,
  project_id: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db<Array<{ key: string; projects: number }>>`
    select t.key, count(distinct v.project_id)::int as projects
    from scan_traces t join scan_issues i on i.id = t.issue_id join scan_reports r on r.id = i.report_id
      join files f on f.id = r.file_id join versions v on v.id = f.version_id
    where t.key = any(${keys as string[]}) and v.project_id <> ${project_id} group by t.key`;
  return new Map(rows.map(({ key, projects }) => [key, projects]));
}
