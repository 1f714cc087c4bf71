import { writeStaffNotice } from '#content/staff-notices.ts';
import type { AppContext } from '#db/context.ts';
import { type StaffCall, storeStaffAttempt, takeStaffCalls } from '#db/messages/staff-notices/outbox.ts';
import { publicRequester } from '#db/platform/runtime/public-request.ts';
import type { OutboxSender } from '../outbox/outbox-sender.ts';
import { type Call, discordCall, signedCall } from '../webhooks/call.ts';
import { sendCall } from '../webhooks/send.ts';

const batch = 20;

/**
 * Sends notices to the webhook and the chat of the installation, as webhooks of creators are sent. The operator chose the
 * addresses, so that they may be private.
 */
export function createStaffNoticeSender({
  settings,
  sql,
  log,
  now,
}: Pick<AppContext, 'settings' | 'sql' | 'log' | 'now'>): OutboxSender {
  const request = publicRequester({ allow: () => true, answer_ms: 15_000 });
  const { STAFF_WEBHOOK_URL, STAFF_WEBHOOK_SECRET, STAFF_CHAT_URL, SITE_URL } = settings;

  function callOf(call: StaffCall): { address: string; call: Call } | null {
    const { id, kind, data, created: timestamp } = call;
    const { path, title, text } = writeStaffNotice(call);
    const url = `${SITE_URL}${path}`;
    if (call.channel === 'chat')
      return STAFF_CHAT_URL
        ? { address: STAFF_CHAT_URL, call: discordCall({ title, url, text, timestamp }) }
        : null;
    if (!STAFF_WEBHOOK_URL || !STAFF_WEBHOOK_SECRET) return null;
    const body = JSON.stringify({ type: `staff.${kind}`, timestamp, data: { ...data, title, text, url } });
    return { address: STAFF_WEBHOOK_URL, call: signedCall(id, body, [STAFF_WEBHOOK_SECRET], now()) };
  }

  async function send(taken: StaffCall): Promise<void> {
    const ready = callOf(taken);
    const result = ready
      ? await sendCall(request, ready.address, ready.call)
      : { status: null, problem: 'not_configured', gone: true, wait_ms: 0, took_ms: 0 };
    const { status, problem, took_ms } = result;
    log.info(
      { notice_id: taken.notice_id, channel: taken.channel, status, problem, took_ms },
      'Staff notified',
    );
    await storeStaffAttempt(sql, taken, result, now());
  }

  return {
    batch,
    async step() {
      const calls = await takeStaffCalls(sql, now(), batch);
      await Promise.all(calls.map(send));
      return { taken: calls.length, is_server_away: false };
    },
  };
}
