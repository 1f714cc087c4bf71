import type { Db } from '../postgres/sql.ts';
import type { KeptKind } from './kept.ts';
import { keptKinds } from './rules.ts';

/** A kept name as staff see it. */
export interface KeptName {
  kind: KeptKind;
  /** The name, where it is known: it was asked for, or its project still leads from it. Only a hash of others is stored. */
  name: string | null;
  /** The name of who may take it back; null once they are gone. */
  owner: string | null;
  /** Since when it is kept. */
  since: string;
}

interface Asked {
  kind: KeptKind | null;
  /** A name that is kept, or the present one of who may take names back; empty for all. */
  text: string;
  limit: number;
  offset: number;
}

/** Kept names, the last given up first, and how many there are. */
export async function keptNames(
  db: Db,
  { kind, text, limit, offset }: Asked,
): Promise<{ names: KeptName[]; total: number }> {
  const matches = db`(${kind}::text is null or k.kind = ${kind}) ${
    text === ''
      ? db``
      : db`and ((k.kind, k.name) in (select noun, kept_name(noun, ${text}) from unnest(${[...keptKinds]}::text[]) noun)
        or k.owner_id in (
          select id from projects where slug = lower(${text})
          union all select id from users where username = ${text}
          union all select id from organizations where slug = lower(${text})))`
  }`;
  const [count] = await db<
    Array<{ total: number }>
  >`select count(*)::int as total from kept_names k where ${matches}`;
  const names = await db<KeptName[]>`
    select k.kind, k.since, coalesce(p.slug::text, u.username::text, o.slug::text) as owner,
      case when ${text} <> '' and k.name = kept_name(k.kind, ${text}) then ${text}
        else (select s.slug::text from old_slugs s
          where k.kind = 'project' and s.project_id = k.owner_id and kept_name('project', s.slug::text) = k.name limit 1)
      end as name
    from (select * from kept_names k where ${matches}
      order by k.since desc, k.kind, k.name limit ${limit} offset ${offset}) k
    left join projects p on k.kind = 'project' and p.id = k.owner_id
    left join users u on k.kind = 'user' and u.id = k.owner_id
    left join organizations o on k.kind = 'organization' and o.id = k.owner_id
    order by k.since desc, k.kind, k.name`;
  return { names, total: count?.total ?? 0 };
}
