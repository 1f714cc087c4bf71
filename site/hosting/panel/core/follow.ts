import type { PanelEvents } from '#control/protocol/browser.ts';
import { openedPanel } from './open-panel.ts';
import { $connection } from './panel.store.ts';

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
  let end = () => {};
  const ended = $connection.subscribe((state) => {
    end();
    end = () => {};
    const panel = openedPanel();
    if (state !== 'open' || !panel) return;
    const listener = (message: { server_id: string }) =>
      message.server_id === panel.id && receive(message as EventMessage<E>);
    end = panel.on(event, listener as PanelEvents[E]);
    void load();
  });
  return () => {
    end();
    ended();
  };
}
