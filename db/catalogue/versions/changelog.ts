import type { Db } from '../../platform/postgres/sql.ts';
import { safeHtml } from '../../platform/text/render.ts';

/**
 * The changelog of a version as HTML for its page, empty when there is none. The caller checks whether the version is
 * visible (`versionByNumber`).
 */
export async function changelogHtml(db: Db, version_id: string): Promise<string> {
  const [row] = await db<Array<{ source: string; html: string; version: number }>>`
    select changelog as source, changelog_html as html, changelog_version as version
    from versions where id = ${version_id}`;
  return row ? safeHtml(row) : '';
}

/** The changelogs of these versions as HTML, by version id; empty when there is none. */
export async function changelogsHtml(db: Db, version_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<Array<{ id: string; source: string; html: string; version: number }>>`
    select id, changelog as source, changelog_html as html, changelog_version as version
    from versions where id = any(${version_ids as string[]})`;
  return new Map(rows.map(({ id, ...text }) => [id, safeHtml(text)]));
}
