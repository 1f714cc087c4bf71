import type { Status } from '../../catalogue/projects/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** A published file, with where it was published and by whom. */
interface FoundFile {
  filename: string;
  size: number;
  version_id: string;
  version_number: string;
  version_status: string;
  project_id: string;
  project_title: string;
  project_status: Status;
  author: string;
  created: string;
}

/** The same file may be in many versions; more than this many are left out. */
const most_found = 50;

/** The algorithm of a hash by its length, null for no hash: only SHA-1 and SHA-512 are stored. */
export function algorithmOf(text: string): 'sha1' | 'sha512' | null {
  if (/^[0-9a-f]{40}$/i.test(text)) return 'sha1';
  return /^[0-9a-f]{128}$/i.test(text) ? 'sha512' : null;
}

/** Where a file with this hash is published, hidden ones too, the first one first. Checks no rule. */
export async function filesByHash(db: Db, hash: string): Promise<FoundFile[]> {
  const algorithm = algorithmOf(hash);
  if (!algorithm) return [];
  return await db<FoundFile[]>`
    select f.filename, f.size, f.created, v.id as version_id, v.version_number, v.status as version_status,
      p.id as project_id, p.title as project_title,
      case when p.status = 'approved' and p.archived then 'archived' else p.status end as project_status,
      u.username as author
    from files f join versions v on v.id = f.version_id join projects p on p.id = v.project_id
    join users u on u.id = v.author_id
    where f.${db(algorithm)} = ${hash.toLowerCase()} order by f.created, f.id limit ${most_found}`;
}
