import { isHosted } from '../../catalogue/external-files/read.ts';
import { flameProject, unansweredFiles } from '../../catalogue/external-files/unanswered.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { AttributionGroup } from './shape.ts';

/**
 * The groups of files of a modpack that come from elsewhere, the unanswered first; 500 at most. `moderates`: with what only moderators see.
 * Source: api-v3 §5.1.
 */
export async function attributionGroups(
  db: Db,
  project_id: string,
  { moderates }: { moderates: boolean },
): Promise<AttributionGroup[]> {
  const rows = await db<
    Array<
      Omit<AttributionGroup, 'override_files_on_platform'> & {
        hosted: string[];
        moderation_status: object | null;
      }
    >
  >`
    select g.id, (select ${flameProject(db)} from attribution_files a join external_files x on x.sha1 = a.sha1
        join external_projects e on e.id = x.external_project_id
        where a.group_id = g.id and e.flame_project_id is not null order by a.name limit 1) as flame_project, g.attribution, g.moderation_status, g.attributed_at, g.attributed_by,
      coalesce((select json_agg(json_build_object('name', a.name, 'sha1', a.sha1, 'versions', array(
          select distinct v.id from pack_files c join files f on f.id = c.file_id join versions v on v.id = f.version_id
          where c.sha1 = a.sha1 and v.project_id = g.project_id)) order by a.name)
        from attribution_files a where a.group_id = g.id), '[]') as files,
      coalesce((select json_agg(json_build_object('id', v.id, 'name', v.name, 'version_number', v.version_number,
          'date_created', v.date_published) order by v.date_published desc)
        from versions v where v.project_id = g.project_id and exists (
          select from attribution_files a join pack_files c on c.sha1 = a.sha1 join files f on f.id = c.file_id
          where a.group_id = g.id and f.version_id = v.id)), '[]') as versions,
      array(select c.sha1 from attribution_files c where c.group_id = g.id and ${isHosted(db)}) as hosted
    from attribution_groups g where g.project_id = ${project_id}
    order by g.attribution is not null, g.created, g.id limit 500`;
  return rows.map(({ hosted, moderation_status, attribution, ...group }) => ({
    ...group,
    attribution: attribution && { ...attribution, moderation_status },
    ...(moderates && { override_files_on_platform: hosted }),
  }));
}

/** Whether a project has files from elsewhere that its team is asked about, or was. */
export async function asksAttribution(db: Db, project_id: string): Promise<boolean> {
  const [group] = await db`select 1 from attribution_groups where project_id = ${project_id} limit 1`;
  return group !== undefined;
}

/** Names of the files of a version that nobody answers for, 100 at most. */
export async function missingAttribution(db: Db, version_id: string): Promise<string[]> {
  const rows = await db<Array<{ name: string }>>`
    select distinct regexp_replace(c.path, '^.*/', '') as name ${unansweredFiles(db)} and v.id = ${version_id}
    order by 1 limit 100`;
  return rows.map(({ name }) => name);
}
