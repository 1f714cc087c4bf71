import { renderAgain } from '#db/text/again.ts';
import type { Job } from './run.ts';

/** Well below the job's limit; the timer puts the next one up. */
const limit_ms = 30 * 60_000;

/** Renders texts anew that another version of the renderer made. */
export const renderAnew: Job<'render_anew'> = async ({ sql, renderer }) => {
  const end = Date.now() + limit_ms;
  for (let texts = 0; ; ) {
    const count = await renderAgain(sql, renderer);
    texts += count;
    if (count === 0 || Date.now() > end) return { texts };
  }
};
