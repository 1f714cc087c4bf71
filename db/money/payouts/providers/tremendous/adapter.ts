import type { Settings } from '../../../../platform/runtime/env.ts';
import type { PayoutProvider } from '../../provider.ts';
import { openClient, type TremendousClient, unreachable } from './client.ts';
import { cancel, decide, listOrders, readOrder, send, unfound } from './orders.ts';
import { methodsIn } from './products.ts';
import { verifyWebhook } from './webhook.ts';

const live_address = 'https://api.tremendous.com/api/v2';
/** How long somebody waits for an answer; after that a webhook or a later run tells. The catalogue takes some seconds. */
const patience_ms = 15_000;

type TremendousSettings = Partial<
  Pick<
    Settings,
    | 'TREMENDOUS_API_KEY'
    | 'TREMENDOUS_FUNDING_SOURCE'
    | 'TREMENDOUS_CAMPAIGN_ID'
    | 'TREMENDOUS_WEBHOOK_KEY'
    | 'TREMENDOUS_API_URL'
  >
>;

/**
 * Gift cards, prepaid cards and what else Tremendous sends by mail, by its official library: an order of one reward of one
 * product for each payout, whose `external_id` is our key. A reward is in dollars where its product is, else in the
 * product's currency by Tremendous' own rate.
 */
export function tremendousPayouts(
  settings: TremendousSettings,
  { timeout = patience_ms } = {},
): PayoutProvider {
  const { TREMENDOUS_API_KEY: key = '', TREMENDOUS_FUNDING_SOURCE: funding = 'balance' } = settings;
  const address = settings.TREMENDOUS_API_URL ?? live_address;
  const account = { funding, campaign: settings.TREMENDOUS_CAMPAIGN_ID ?? null };
  let opened: Promise<TremendousClient> | undefined;
  const open = (): Promise<TremendousClient> => {
    opened ??= openClient(key, address, timeout).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const test = new URL(address).hostname.startsWith('testflight.');
  return {
    name: test ? 'tremendous_test' : 'tremendous',
    test,
    async methods(country) {
      try {
        return await methodsIn(await open(), country);
      } catch (error) {
        throw unreachable(error);
      }
    },
    async send(ask) {
      try {
        return await send(await open(), account, ask);
      } catch (error) {
        throw unreachable(error);
      }
    },
    async retrieve({ key: external_id, reference }) {
      try {
        const client = await open();
        const found = await readOrder(client, reference ?? external_id);
        return found ? await decide(client, found) : unfound(reference);
      } catch (error) {
        throw unreachable(error);
      }
    },
    cancel: async (ask) => await cancel(await open(), ask),
    verify: async (headers, body, now) =>
      await verifyWebhook(open, settings.TREMENDOUS_WEBHOOK_KEY ?? '', headers, body, now),
    list: (range) => listOrders(open, range),
  };
}
