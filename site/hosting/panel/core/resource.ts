import { atom, type WritableAtom } from 'nanostores';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import type { Events, Result } from '../../shared/request.ts';
import { type PanelMessage, requestFromPanel } from './open-panel.ts';

/** What a page shows of why it could not load: nothing without a connection, which the panel says, and it loads with the next one. */
export const loadProblem = (error: ApiError): ApiError | null => (error.status === 0 ? null : error);

interface ResourceDefinition<E extends Events, T> {
  /** The request that loads it. */
  event: E;
  /** What is sent. null: nothing has to be loaded now. An answer is left out when something else would be sent by then. */
  message?(): PanelMessage<E> | null;
  /** What of the answer is shown. */
  read(answer: Result<E>): T;
  /** What is shown of a failure, where that is not `loadProblem`. */
  problem?(error: ApiError): ApiError | null;
}

/** Something about the server of the open panel that a request loads. */
interface PanelResource<T> {
  /** null until it was received once. */
  $data: WritableAtom<T | null>;
  /** Why it could not be loaded. */
  $problem: WritableAtom<ApiError | null>;
  /** Loads it; what is there already stays until the answer comes. */
  load(): Promise<void>;
}

/** The store of something that a request of the panel loads. */
export function panelResource<E extends Events, T>(definition: ResourceDefinition<E, T>): PanelResource<T> {
  const { event, message = () => ({}) as PanelMessage<E>, read, problem = loadProblem } = definition;
  const $data = atom<T | null>(null);
  const $problem = atom<ApiError | null>(null);
  return {
    $data,
    $problem,
    async load() {
      const sent = message();
      if (!sent) return;
      const result = await requestFromPanel(event, sent);
      if (JSON.stringify(message()) !== JSON.stringify(sent)) return;
      $problem.set(result.ok ? null : problem(result.error));
      if (result.ok) $data.set(read(result.data));
    },
  };
}
