import { whyNotReview } from '../../catalogue/review-locks/rules.ts';
import { lockProject } from '../../catalogue/versions/write.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, accountOf } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Announcing, holdIfDangerous } from './hold.ts';
import type { TraceStatus } from './rules.ts';

/** Versions that one verdict about code reaches at a time. */
const max_versions = 1_000;

/**
 * Decides about single traces; `pending` takes a decision back. What becomes unsafe is held at once. Refuses
 * `moderators_only`, `not_found` when one of them does not exist. Source: api-v3 §5.
 */
export async function decideTraces(
  tx: Db,
  actor: Actor,
  decisions: ReadonlyArray<{ detail_id: string; verdict: TraceStatus }>,
  { announcing, now }: { announcing: Announcing; now: Date },
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const ids = decisions.map(({ detail_id }) => detail_id);
  const known = await tx<Array<{ id: string; report_id: string; version_id: string; project_id: string }>>`
    select t.id, r.id as report_id, v.id as version_id, v.project_id
    from scan_traces t join scan_issues i on i.id = t.issue_id join scan_reports r on r.id = i.report_id
      join files f on f.id = r.file_id join versions v on v.id = f.version_id
    where t.id = any(${ids})`;
  const missing = ids.find((id) => !known.some((trace) => trace.id === id));
  if (missing !== undefined) throw new Refused('not_found', { id: missing });
  await lockProjects(tx, known);
  for (const verdict of ['safe', 'unsafe', 'pending'] as const) {
    const chosen = decisions.filter((one) => one.verdict === verdict).map(({ detail_id }) => detail_id);
    if (chosen.length > 0)
      await tx`update scan_traces set ${tx(columns(actor, verdict, now))} where id = any(${chosen})`;
  }
  const reports = [...new Set(known.map(({ report_id }) => report_id))];
  await tx`update scan_reports set open = true, reviewed = null where id = any(${reports}) and severity <> 'low'`;
  const unsafe = new Set(
    decisions.filter(({ verdict }) => verdict === 'unsafe').map(({ detail_id }) => detail_id),
  );
  for (const version_id of new Set(known.map((trace) => trace.version_id))) {
    const byPerson = known.some((trace) => trace.version_id === version_id && unsafe.has(trace.id));
    await holdIfDangerous(tx, version_id, { announcing, byPerson, now });
  }
  for (const project_id of new Set(known.map((trace) => trace.project_id)))
    await recordEvent(tx, {
      name: 'project.traces_decided',
      actor_id: accountOf(actor),
      project_id,
      data: { traces: known.filter((trace) => trace.project_id === project_id).length },
    });
}

/**
 * Decides about the same code everywhere; `pending` takes it back. What a trace's own verdict says comes before it. Other
 * projects with code that is unsafe are held and have to be reviewed. Refuses `moderators_only`, `not_found` for code that
 * nobody found. Source: api-v3 §5.
 */
export async function decideEverywhere(
  tx: Db,
  actor: Actor,
  decisions: ReadonlyArray<{ detail_key: string; verdict: TraceStatus }>,
  { announcing, now }: { announcing: Announcing; now: Date },
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  for (const { detail_key, verdict } of decisions) {
    const found = await tx<Array<{ version_id: string; project_id: string; report_id: string }>>`
      select distinct v.id as version_id, v.project_id, r.id as report_id
      from scan_traces t join scan_issues i on i.id = t.issue_id join scan_reports r on r.id = i.report_id
        join files f on f.id = r.file_id join versions v on v.id = f.version_id
      where t.key = ${detail_key} order by v.project_id limit ${max_versions}`;
    if (found.length === 0) throw new Refused('not_found', { id: detail_key });
    await lockProjects(tx, found);
    if (verdict === 'pending') await tx`delete from trace_verdicts where key = ${detail_key}`;
    else
      await tx`
        insert into trace_verdicts ${tx({ key: detail_key, ...columns(actor, verdict, now) })}
        on conflict (key) do update
          set verdict = excluded.verdict, decided = excluded.decided, decided_by = excluded.decided_by`;
    await recordEvent(tx, {
      name: 'catalogue.code_judged',
      actor_id: accountOf(actor),
      data: { key: detail_key, verdict },
    });
    if (verdict === 'safe') continue;
    const reports = found.map(({ report_id }) => report_id);
    await tx`
      update scan_reports set open = true, reviewed = null
      where id = any(${reports}) and (severity <> 'low' or ${verdict === 'unsafe'}) and verdict is distinct from 'unsafe'`;
    for (const version_id of new Set(found.map((trace) => trace.version_id)))
      await holdIfDangerous(tx, version_id, { announcing, byPerson: verdict === 'unsafe', now });
  }
}

const columns = (actor: Actor, verdict: TraceStatus, now: Date) =>
  verdict === 'pending'
    ? { verdict: null, decided: null, decided_by: null }
    : { verdict, decided: now, decided_by: accountOf(actor) };

/** In one order, so that two reviewers never wait for each other. */
async function lockProjects(tx: Db, found: ReadonlyArray<{ project_id: string }>): Promise<void> {
  for (const project_id of [...new Set(found.map((one) => one.project_id))].sort())
    await lockProject(tx, project_id);
}
