import type { Db } from '../postgres/sql.ts';
import { RENDERER_VERSION } from './render.ts';
import type { Renderer } from './rendered.ts';

/**
 * Renders up to `batch` project bodies and as many changelogs that another renderer version made, and gives their
 * number; 0 means all are current. Skips a text edited meanwhile. Idempotent, for a job.
 */
export async function rerenderTexts(db: Db, renderer: Renderer, batch = 50): Promise<number> {
  const bodies = await db<Array<{ id: string; source: string }>>`
    select id, body as source from projects where body_version <> ${RENDERER_VERSION} and body <> '' limit ${batch}`;
  for (const { id, source } of bodies) {
    const { html, version } = await renderer.render(source);
    await db`update projects set body_html = ${html}, body_version = ${version} where id = ${id} and body = ${source}`;
  }
  const changelogs = await db<Array<{ id: string; source: string }>>`
    select id, changelog as source from versions
    where changelog_version <> ${RENDERER_VERSION} and changelog <> '' limit ${batch}`;
  for (const { id, source } of changelogs) {
    const { html, version } = await renderer.render(source);
    await db`
      update versions set changelog_html = ${html}, changelog_version = ${version}
      where id = ${id} and changelog = ${source}`;
  }
  return bodies.length + changelogs.length;
}
