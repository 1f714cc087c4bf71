import { atom } from 'nanostores';
import type { NetworkView } from '#db/hosting/servers/network/view.ts';
import type { ApiError, ApiResult } from '../../../../platform/browser/api-client.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import type { Events, Message, Result } from '../../../shared/request.ts';
import { requestFromPanel } from '../../core/open-panel.ts';
import { panelResource } from '../../core/resource.ts';

/** Ports and domain of the server of the open panel. */

export const {
  $data: $network,
  $problem,
  load: loadNetwork,
} = panelResource({ event: 'network.show', read: ({ network }) => network });
/** The request that waits for its answer. */
export const $busy = atom<NetworkEvent | null>(null);

type NetworkEvent = Extract<Events, `network.${string}`>;
type Sent<E extends NetworkEvent> = Omit<Message<E>, 'server_id'>;
interface Change {
  /** Whether sending it twice does the same as once. */
  repeatable?: boolean;
  /** Shows a refusal in place; without it a toast says it. */
  refused?(error: ApiError): void;
}

/** Changes something, one at a time, and shows how it is then; false when it was refused. */
export async function changeNetwork<E extends NetworkEvent>(
  event: E,
  message: Sent<E>,
  { repeatable = true, refused }: Change = {},
): Promise<boolean> {
  if ($busy.get()) return false;
  $busy.set(event);
  const result = await mutate({
    send: () => requestFromPanel(event, message) as Promise<ApiResult<Result<E> & { network: NetworkView }>>,
    repeatable,
    refresh: ({ network }) => $network.set(network),
    refused: (error) => {
      refused?.(error);
      return refused !== undefined;
    },
  });
  $busy.set(null);
  return result.ok;
}
