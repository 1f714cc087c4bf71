import { messages } from '#content/messages.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { stateView } from '#site/hosting/shared/state.ts';

/** A server as one line of a table: its state in the words of the panel. */
export const serverLine = (server: ServerView) => {
  const { id, name, plan, address, node } = server;
  return {
    ...{ id, name, state: messages('en-US').t(stateView(server).text), plan },
    address: address ? `${address.host}:${address.port}` : '',
    node: node ?? '',
  };
};
