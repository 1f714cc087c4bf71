import { rerenderTexts } from '#db/platform/text/rerender.ts';
import { defineJob } from './define.ts';

/** Well below the longest run of the job; the timer enqueues the next one. */
const max_ms = 30 * 60_000;

/** Renders texts again that another version of the renderer made. */
export const rerenderTextsJob = defineJob({
  name: 'rerender_texts',
  queue: { retryLimit: 5, expireInSeconds: 3_600 },
  schedule: { cron: '7 * * * *', unique_s: 1_800 },
  async run({ sql, renderer }) {
    const end = Date.now() + max_ms;
    for (let texts = 0; ; ) {
      const count = await rerenderTexts(sql, renderer);
      texts += count;
      if (count === 0 || Date.now() > end) return { texts };
    }
  },
});
