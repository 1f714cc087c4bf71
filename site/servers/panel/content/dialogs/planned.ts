import { useEffect, useState } from 'react';
import type { ApiResult } from '../../../../browser/api-client.ts';
import { useMessages } from '../../../../text/MessagesContext.tsx';
import { refusalIn } from '../actions.ts';

/** Something that a dialog asks for before it offers anything. */
export type Planned<T> =
  | { state: 'loading' }
  | { state: 'ready'; data: T }
  | { state: 'refused'; text: string };

/** Asks once when the dialog opens, and again with `again`. */
export function usePlanned<T>(ask: () => Promise<ApiResult<T>>): [Planned<T>, again: () => void] {
  const labels = useMessages();
  const [planned, setPlanned] = useState<Planned<T>>({ state: 'loading' });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it asks does not change while the dialog is open
  useEffect(() => {
    let isLate = false;
    setPlanned({ state: 'loading' });
    void ask().then((answer) => {
      if (isLate) return;
      setPlanned(
        answer.ok
          ? { state: 'ready', data: answer.data }
          : { state: 'refused', text: refusalIn(labels, answer.error) },
      );
    });
    return () => {
      isLate = true;
    };
  }, [turn]);
  return [planned, () => setTurn(turn + 1)];
}
