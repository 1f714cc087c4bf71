import type { Db } from '../../platform/postgres/sql.ts';
import { safeHtml } from '../../platform/text/render.ts';

/** The description of a project as HTML for its page. The caller checks whether the project is visible (`find`). */
export async function bodyHtml(db: Db, project_id: string): Promise<string> {
  const [row] = await db<Array<{ source: string; html: string; version: number }>>`
    select body as source, body_html as html, body_version as version from projects where id = ${project_id}`;
  return row ? safeHtml(row) : '';
}
