import type { AppContext } from '../context.ts';
import { recordEvent } from '../platform/events/write.ts';
import { getFact, setFact, withAdvisoryLock } from '../platform/installation.ts';
import type { Db } from '../platform/postgres/sql.ts';
import type { Settings } from '../platform/runtime/env.ts';
import type { Rendered } from '../platform/text/rendered.ts';
import { bodyOf, shownPictures } from './body.ts';
import { type DrawnPicture, storeGalleries } from './images.ts';
import { type PlannedProject, planned } from './plan.ts';
import { insertPictures } from './rows.ts';

/**
 * Drawing the galleries of all projects is most of the work of a first start: before it is ready only those get theirs that
 * come first in lists.
 */

/** So many projects come first in lists. */
const first = 12;

/** Projects that get their pictures together: their pages are prepared again once. */
const batch = 12;
/** The entry of the installation that says when the demo was loaded, and how many projects of the plan have their pictures by now. */
const progress_key = 'demo_pictures';
interface Progress {
  at: number;
  done: number;
}

/** The projects whose galleries are drawn before the first start is ready. */
export const drawnFirst = (
  plans: readonly PlannedProject[],
  { DEMO_GALLERIES }: Pick<Settings, 'DEMO_GALLERIES'>,
): PlannedProject[] => plans.slice(0, Math.min(first, DEMO_GALLERIES));

/** Remembers that the rest is to be drawn; `at`: when the demo was loaded. */
export const wantLaterPictures = ({ sql }: Pick<AppContext, 'sql'>, at: Date): Promise<void> =>
  setFact(sql, progress_key, { at: at.getTime(), done: 0 } satisfies Progress);

/** Whether galleries of the demo are still to be drawn. */
export async function wantsLaterPictures({
  sql,
  settings,
}: Pick<AppContext, 'sql' | 'settings'>): Promise<boolean> {
  const progress = await getFact<Progress>(sql, progress_key);
  return progress !== null && progress.done < settings.DEMO_GALLERIES;
}

/**
 * Draws the other galleries while the product runs, and puts their pictures into the descriptions. Continues where it was
 * interrupted. A project that is gone, or that somebody has changed meanwhile, stays as it is.
 */
export async function drawLaterPictures(
  services: Pick<AppContext, 'sql' | 'settings' | 'storage' | 'renderer'>,
  stop: AbortSignal,
): Promise<void> {
  const { sql, settings, storage, renderer } = services;
  await withAdvisoryLock(sql, progress_key, async () => {
    const progress = await getFact<Progress>(sql, progress_key);
    if (!progress) return;
    const plans = planned().slice(0, settings.DEMO_GALLERIES);
    for (let from = progress.done; from < plans.length; from += batch) {
      if (stop.aborted) return;
      const part = plans.slice(from, from + batch);
      const wanted = part.filter((plan, place) => plan.pictures.length > 0 && from + place >= first);
      const drawn = await storeGalleries(storage, wanted);
      const all = await Promise.all(
        wanted.map(async (plan) => {
          const pictures = drawn.get(plan.id)!;
          const body = await renderer.render(bodyOf(plan, shownPictures(pictures)));
          return { plan, pictures, body };
        }),
      );
      await sql.begin(async (tx) => {
        const project_ids: string[] = [];
        for (const one of all) if (await insertLater(tx, one, progress.at)) project_ids.push(one.plan.id);
        await setFact(tx, progress_key, { ...progress, done: from + part.length });
        if (project_ids.length > 0)
          await recordEvent(tx, { name: 'catalogue.loaded', data: { project_ids } });
      });
    }
  });
}

interface Later {
  plan: PlannedProject;
  pictures: readonly DrawnPicture[];
  body: Rendered;
}

/** Whether the project was as the demo left it, and has its pictures now. */
async function insertLater(tx: Db, { plan, pictures, body }: Later, at: number): Promise<boolean> {
  const changed = await tx`
    update projects set body = ${body.source}, body_html = ${body.html}, body_version = ${body.version}
    where id = ${plan.id} and body = ${bodyOf(plan, [])}
      and not exists (select from gallery where project_id = ${plan.id})`;
  if (changed.count === 0) return false;
  await insertPictures(tx, plan, pictures, at);
  return true;
}
