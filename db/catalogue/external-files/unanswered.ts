import type { Db } from '../../platform/postgres/sql.ts';
import { isHosted, isOverridePath } from './read.ts';

/**
 * `from ... where` of the override files `c` of versions `v` that nobody answers for. An answer counts until staff refuse it; for
 * works that are never allowed, only when staff approve it.
 */
export const unansweredFiles = (db: Db) => db`
  from pack_files c join files f on f.id = c.file_id join versions v on v.id = f.version_id
    join file_scans s on s.file_id = f.id
    left join external_files x on x.sha1 = c.sha1 left join external_projects e on e.id = x.external_project_id
    left join attribution_files a on a.project_id = v.project_id and a.sha1 = c.sha1
    left join attribution_groups g on g.id = a.group_id
  where s.asks_attribution and ${isOverridePath(db)} and not ${isHosted(db)}
    and coalesce(e.status, 'unidentified') not in ('yes', 'with-attribution', 'with-attribution-and-source')
    and (g.attribution is null or g.attribution ->> 'kind' = 'no_permission'
      or coalesce(g.moderation_status ->> 'kind', case when e.status = 'permanent-no' then 'refused' else 'approved' end)
        <> 'approved')`;

/**
 * Expression for the version `v` of an outer query: per file, where what nobody answers for comes from, as far as that is known;
 * null when nothing is open. Source: api-v3 §2.2.
 */
export const missingSources = (db: Db) => db`
  case when 'attribution' = any(v.held_for) then (
    select json_agg(json_build_object('id', id, 'override_source', source) order by id, source ->> 'type')
    from (select v.id as version_id) own, lateral (
      select distinct f.id, ${sourceOf(db)} as source ${unansweredFiles(db)} and v.id = own.version_id) missing
  ) end`;

/** Expression for the work `e`: what is known of another site's project. */
const sourceOf = (db: Db) => db`
  case when e.flame_project_id is null then jsonb_build_object('type', 'unknown')
    else jsonb_build_object('type', 'flame') || ${flameProject(db)} end`;

/** Expression for the work `e`, of which the ID at another site is known. */
export const flameProject = (db: Db) => db`
  jsonb_build_object('id', e.flame_project_id, 'title', coalesce(e.title, ''), 'url', coalesce(e.link, ''), 'icon_url', null)`;
