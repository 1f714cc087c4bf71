import { useEffect, useState } from 'react';
import type { ApiError, ApiResult } from '../../../../platform/browser/api-client.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { refusalIn } from '../actions.ts';

/** Refusals that say that a pack does not fit the server. */
const unfit = ['server_version_unknown', 'server_loader_unknown', 'nothing_compatible'];

/** Why there is nothing to offer. */
export interface PlanRefusal {
  /** False when the pack does not fit the server. */
  fits: boolean;
  /** Whether a second try may be answered otherwise. */
  can_retry: boolean;
  text: string;
}

export const planRefusal = ({ code, status }: ApiError, text: string): PlanRefusal => ({
  fits: !unfit.includes(code),
  can_retry: status === 0 || status === 409 || status === 429 || status >= 500,
  text,
});

/** Something that a dialog asks for before it offers anything. */
export type Planned<T> =
  | { state: 'loading' }
  | { state: 'ready'; data: T }
  | { state: 'refused'; refusal: PlanRefusal };

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
          : { state: 'refused', refusal: planRefusal(answer.error, refusalIn(labels, answer.error)) },
      );
    });
    return () => {
      isLate = true;
    };
  }, [turn]);
  return [planned, () => setTurn(turn + 1)];
}
