import { createHash } from 'node:crypto';
import { lockProject } from '../../catalogue/projects/locked.ts';
import { rejectAsMalware } from '../../catalogue/projects/malware.ts';
import { whyNotReview } from '../../catalogue/review-locks/rules.ts';
import { postMessage } from '../../messages/threads/post.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, accountOf } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { tellTeam } from '../holds/tell-team.ts';
import { type Severity, severities } from '../scanner/rules.ts';
import { type Announcing, holdIfDangerous, releaseHeld } from './hold.ts';
import { manual_type, needsVerdict, type Verdict } from './rules.ts';
import { replaceTraces } from './store.ts';

export interface Submission {
  verdict: Verdict;
  /** To the project's team; empty for none. */
  message: string;
}

/**
 * Ends the technical review of a project. `safe` releases what is held; `unsafe` rejects the project, and its files with
 * unsafe traces are known as malware from now on. Refuses `moderators_only`, `not_found`, `traces_undecided`, `traces_unsafe` (safe is no
 * verdict while one is unsafe), and what `postMessage` refuses. Source: api-v3 §5.
 */
export async function submitReview(
  tx: Db,
  actor: Actor,
  project_id: string,
  { verdict, message, announcing, now }: Submission & { announcing: Announcing; now: Date },
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const project = await lockProject(tx, project_id, actor);
  const counted = severities.filter(needsVerdict);
  const [counts] = await tx<Array<{ undecided: number; unsafe: number }>>`
    select count(*) filter (where coalesce(t.verdict, e.verdict) is null and t.severity = any(${counted}))::int as undecided,
      count(*) filter (where coalesce(t.verdict, e.verdict) = 'unsafe')::int as unsafe
    from scan_traces t join scan_issues i on i.id = t.issue_id join scan_reports r on r.id = i.report_id
      join files f on f.id = r.file_id join versions v on v.id = f.version_id
      left join trace_verdicts e on e.key = t.key
    where v.project_id = ${project_id} and r.open`;
  const { undecided, unsafe } = counts!;
  if (undecided > 0) throw new Refused('traces_undecided', { count: undecided });
  if (verdict === 'safe' && unsafe > 0) throw new Refused('traces_unsafe', { count: unsafe });
  await tx`
    update scan_reports r set open = false, reviewed = ${now}, reviewed_by = ${accountOf(actor)}, verdict = ${verdict}
    from files f join versions v on v.id = f.version_id
    where f.id = r.file_id and v.project_id = ${project_id} and r.open`;
  if (verdict === 'unsafe') {
    await tx`
      insert into known_malware (sha512, added, added_by)
      select distinct f.sha512, ${now}::timestamptz, ${accountOf(actor)}
      from scan_traces t join scan_issues i on i.id = t.issue_id join scan_reports r on r.id = i.report_id
        join files f on f.id = r.file_id join versions v on v.id = f.version_id
        left join trace_verdicts e on e.key = t.key
      where v.project_id = ${project_id} and coalesce(t.verdict, e.verdict) = 'unsafe'
      on conflict do nothing`;
    await rejectAsMalware(tx, actor, project, now);
  } else {
    const released = await releaseHeld(tx, accountOf(actor), project_id);
    if (released.length > 0) await tellTeam(tx, project_id, announcing.words.released(released), now);
  }
  await recordEvent(tx, {
    name: 'project.examined',
    actor_id: accountOf(actor),
    project_id,
    data: { verdict },
  });
  if (message.trim() === '') return;
  const [row] = await tx<
    Array<{ thread_id: string }>
  >`select thread_id from projects where id = ${project_id}`;
  await postMessage(
    tx,
    actor,
    row!.thread_id,
    { type: 'text', body: message.trim() },
    new Date(now.getTime() + 1),
  );
}

/**
 * Adds what somebody of staff found in a file to its report; gives the report's id. Refuses `moderators_only`, `file_unknown`.
 * Source: api-v3 §5.
 */
export async function reportFile(
  tx: Db,
  actor: Actor,
  { file_id, severity, reason }: { file_id: string; severity: Severity; reason: string },
  { announcing, now }: { announcing: Announcing; now: Date },
): Promise<string> {
  assertAllowed(whyNotReview(actor));
  const [file] = await tx<Array<{ version_id: string; project_id: string }>>`
    select f.version_id, v.project_id from files f join versions v on v.id = f.version_id where f.id = ${file_id}`;
  if (!file) throw new Refused('file_unknown', { hash: file_id });
  await lockProject(tx, file.project_id, actor);
  const key = createHash('sha256').update(`${manual_type}\n${file_id}\n${reason}`).digest('hex');
  const trace = {
    issue_type: manual_type,
    severity,
    key,
    jar: '',
    file_path: '',
    disassembly: '',
    data: { reason },
  };
  const report_id = (await replaceTraces(tx, file_id, [trace], { types: [], reason: 'manual', now }))!;
  await holdIfDangerous(tx, file.version_id, { announcing, byPerson: true, now });
  return report_id;
}
