import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '#db/context.ts';
import { type Attempt, type OutgoingCall, storeAttempt, takeCalls } from '#db/messages/webhooks/outbox.ts';
import { webhookPurpose } from '#db/messages/webhooks/write.ts';
import { publicRequester } from '#db/platform/runtime/public-request.ts';
import type { OutboxSender } from '../outbox/outbox-sender.ts';
import { writeCall } from './call.ts';
import { sendCall } from './send.ts';

type SenderContext = Pick<AppContext, 'sql' | 'sealer' | 'log' | 'now'>;

interface SenderOptions {
  /** Tests allow their own loopback servers. */
  request?: ReturnType<typeof publicRequester>;
  timeout_ms?: number;
}

const batch = 40;
/** How long a step waits for its calls, at most, until the next ones are taken. */
const patience_ms = 1_000;
const unsealed: Attempt = { status: null, answer: '', problem: 'key', took_ms: 0, gone: false, wait_ms: 0 };

/**
 * Sends the calls of webhooks. Of what becomes of a call the table `webhook_deliveries` has the record; any number of
 * processes may send. When a webhook is turned off because nothing arrives, whoever made it is notified.
 */
export function createWebhookSender(
  context: SenderContext,
  { request = publicRequester({ answer_ms: 15_000 }), timeout_ms }: SenderOptions = {},
): OutboxSender {
  const { sql, sealer, log, now } = context;

  async function attempt(call: OutgoingCall): Promise<Attempt> {
    const open = (sealed: string | null, part: 'address' | 'secret') =>
      sealed === null ? null : sealer.open(sealed, webhookPurpose(call.webhook_id, part));
    const address = open(call.address, 'address');
    const secrets = [open(call.secret, 'secret'), open(call.old_secret, 'secret')].filter(
      (one) => one !== null,
    );
    if (address === null || secrets.length === 0) return unsealed;
    return await sendCall(
      request,
      address,
      writeCall(call, secrets, now()),
      timeout_ms ? { timeout_ms } : {},
    );
  }

  /** Calls on their way, with who made their webhook. */
  const running = new Map<Promise<void>, string>();

  async function send(call: OutgoingCall): Promise<void> {
    const result = await attempt(call);
    const { webhook_id, attempts } = call;
    const { status, problem, took_ms } = result;
    log.info({ webhook_id, delivery_id: call.id, attempts, status, problem, took_ms }, 'Webhook called');
    await sql.begin((tx) => storeAttempt(tx, call, result, now()));
  }

  return {
    batch,
    async step() {
      const makers = [...running.values()];
      const calls = await takeCalls(sql, now(), { limit: batch - running.size, makers });
      for (const call of calls) {
        const done: Promise<void> = send(call)
          .catch((err) => log.error({ err, delivery_id: call.id }, 'What came of a call could not be stored'))
          .finally(() => running.delete(done));
        running.set(done, call.maker);
      }
      // a receiver that takes its time holds up nobody
      await Promise.race([Promise.all(running.keys()), wait(patience_ms, undefined, { ref: false })]);
      return { taken: calls.length, is_server_away: false };
    },
  };
}
