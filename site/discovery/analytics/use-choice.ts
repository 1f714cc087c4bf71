import { useCallback, useEffect, useState } from 'react';
import { type Choice, parseChoice, queryOf } from './choice.ts';

/**
 * The choice in the address: each change is a step of the history, so that Back undoes it. `search` is the query that the
 * page was asked for, `known` the ids of its projects.
 */
export function useChoice(
  search: string,
  known: readonly string[],
): [Choice, (change: Partial<Choice>) => void] {
  const [choice, setChoice] = useState(() => parseChoice(new URLSearchParams(search), known));
  useEffect(() => {
    const follow = () => setChoice(parseChoice(new URLSearchParams(location.search), known));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [known]);
  const change = useCallback(
    (changed: Partial<Choice>) => {
      // two changes before the next drawing: the address is newer than what is drawn
      const before = new URLSearchParams(location.search);
      const wanted = { ...parseChoice(before, known), ...changed };
      const query = queryOf(wanted, known.length, before);
      if (query !== location.search) history.pushState(null, '', location.pathname + query);
      setChoice(wanted);
    },
    [known],
  );
  return [choice, change];
}
