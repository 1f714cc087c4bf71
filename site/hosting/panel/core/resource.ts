import { atom, type WritableAtom } from 'nanostores';
import type { PanelEvents } from '#control/protocol/browser.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import type { Events, Result } from '../../shared/request.ts';
import { openedPanel, type PanelMessage, requestFromPanel } from './open-panel.ts';
import { $connection } from './panel.store.ts';

/**
 * What a page shows of why it could not load: nothing without a connection, which the panel says, and it loads with the
 * next one. An answer that never came over a connection that is there is a problem: an agent may be too slow for it.
 */
export const loadProblem = (error: ApiError): ApiError | null =>
  error.status === 0 && $connection.get() !== 'open' ? null : error;

interface ResourceDefinition<E extends Events, T> {
  /** The request that loads it. */
  event: E;
  /** What is sent. null: nothing has to be loaded now. An answer is left out when something else would be sent by then. */
  message?(): PanelMessage<E> | null;
  /** What of the answer is shown. */
  read(answer: Result<E>): T;
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
  const { event, message = () => ({}) as PanelMessage<E>, read } = definition;
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
      $problem.set(result.ok ? null : loadProblem(result.error));
      if (result.ok) $data.set(read(result.data));
    },
  };
}

type EventMessage<E extends keyof PanelEvents> = Parameters<PanelEvents[E]>[0];
/** Events about one server. */
type ServerEvent = {
  [E in keyof PanelEvents]: EventMessage<E> extends { server_id: string } ? E : never;
}[keyof PanelEvents];

/** Loads something with each connection of the panel, and receives every change of it by event. Gives a function that ends it. */
export function followPanel<E extends ServerEvent>(
  event: E,
  receive: (message: EventMessage<E>) => void,
  load: () => Promise<void>,
): () => void {
  let end: (() => void) | undefined;
  const ended = $connection.subscribe((state) => {
    end?.();
    end = undefined;
    const panel = openedPanel();
    if (state !== 'open' || !panel) return;
    const listener = (message: { server_id: string }) =>
      message.server_id === panel.id && receive(message as EventMessage<E>);
    end = panel.on(event, listener as PanelEvents[E]);
    void load();
  });
  return () => {
    end?.();
    ended();
  };
}
