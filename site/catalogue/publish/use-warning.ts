import { useEffect } from 'react';
import { allFiles, type PublishState } from './publish.store.ts';

/** Asks before the page is left while something would be lost: a file that is being sent, or words of the user. */
export function useWarning(state: PublishState, isEdited: boolean): void {
  const isAtRisk =
    state.phase !== 'done' &&
    (isEdited || allFiles(state).length > 0 || state.drafts.some(({ touched }) => touched.size > 0));
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAtRisk]);
}
