import type { AppContext } from '../context.ts';
import { recordEvent } from '../events/write.ts';
import { getFact, setFact, withAdvisoryLock } from '../installation.ts';
import type { Settings } from '../runtime/env.ts';
import { shownInBody } from './body.ts';
import { storeGalleries } from './images.ts';
import type { PlannedPicture } from './pictures.ts';
import { type PlannedProject, planned } from './plan.ts';
import { insertPictures } from './rows.ts';

/**
 * Drawing the galleries of all projects is most of the work of a first start: before it is ready only those pictures are drawn
 * that descriptions and lists show. The projects that come first in lists have a written description, and all theirs.
 */

/** Projects that get their pictures together: their pages are prepared again once. */
const batch = 12;
/** The fact that says when the demo was loaded, and how many projects of the plan have all their pictures by now. */
const fact = 'demo_pictures';
interface Progress {
  at: number;
  done: number;
}

type Galleries = Pick<Settings, 'DEMO_GALLERIES'>;
interface Part extends Pick<PlannedProject, 'id'> {
  pictures: PlannedPicture[];
}

/** What is drawn before the first start is ready: the projects that get galleries, with the pictures to draw. */
export const drawnFirst = (plans: readonly PlannedProject[], { DEMO_GALLERIES }: Galleries): Part[] =>
  plans
    .slice(0, DEMO_GALLERIES)
    .map((plan) => ({ id: plan.id, pictures: plan.pictures.slice(0, shownInBody(plan)) }));

/** Remembers that the rest is to be drawn; `at`: when the demo was loaded. */
export const wantLaterPictures = ({ sql }: Pick<AppContext, 'sql'>, at: Date): Promise<void> =>
  setFact(sql, fact, { at: at.getTime(), done: 0 } satisfies Progress);

/** Whether pictures of the demo are still to be drawn. */
export async function wantsLaterPictures({
  sql,
  settings,
}: Pick<AppContext, 'sql' | 'settings'>): Promise<boolean> {
  const progress = await getFact<Progress>(sql, fact);
  return progress !== null && progress.done < settings.DEMO_GALLERIES;
}

/**
 * Draws the pictures that only galleries show, while the product runs. Continues where it was interrupted. A gallery that
 * somebody has changed meanwhile, and a project that is gone, stay as they are.
 */
export async function drawLaterPictures(
  services: Pick<AppContext, 'sql' | 'settings' | 'storage'>,
  stop: AbortSignal,
): Promise<void> {
  const { sql, settings, storage } = services;
  await withAdvisoryLock(sql, fact, async () => {
    const progress = await getFact<Progress>(sql, fact);
    if (!progress) return;
    const plans = planned().slice(0, settings.DEMO_GALLERIES);
    for (let from = progress.done; from < plans.length; from += batch) {
      if (stop.aborted) return;
      const wanted = plans.slice(from, from + batch).map((plan) => ({ plan, first: shownInBody(plan) }));
      const drawn = await storeGalleries(
        storage,
        wanted.map(({ plan: { id, pictures }, first }) => ({ id, pictures: pictures.slice(first) })),
      );
      await sql.begin(async (tx) => {
        const project_ids: string[] = [];
        for (const { plan, first } of wanted) {
          const pictures = drawn.get(plan.id) ?? [];
          const [row] = await tx<Array<{ count: number }>>`
            select (select count(*)::int from gallery where project_id = p.id) as count
            from projects p where p.id = ${plan.id} for update`;
          if (pictures.length === 0 || row?.count !== first) continue;
          await insertPictures(tx, plan, { at: progress.at, pictures, from: first });
          project_ids.push(plan.id);
        }
        await setFact(tx, fact, { ...progress, done: Math.min(from + batch, plans.length) });
        if (project_ids.length > 0)
          await recordEvent(tx, { name: 'catalogue.loaded', data: { project_ids } });
      });
    }
  });
}
