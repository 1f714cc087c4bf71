/**
 * Caches a value that is read often and changes seldom: one load at a time, cached for `for_ms`. Empty results are not
 * cached, since the database may still be loading.
 */
export function memoizeFor<Source, Answer>(
  for_ms: number,
  load: (source: Source) => Promise<Answer>,
  isEmpty: (answer: Answer) => boolean,
) {
  let last: { answer: Answer; until: number } | null = null;
  let loading: Promise<Answer> | null = null;
  return async (source: Source): Promise<Answer> => {
    if (last && Date.now() < last.until) return last.answer;
    loading ??= load(source)
      .then((answer) => {
        last = isEmpty(answer) ? null : { answer, until: Date.now() + for_ms };
        return answer;
      })
      .finally(() => {
        loading = null;
      });
    return await loading;
  };
}
