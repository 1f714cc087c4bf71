import { type ApiResult, sendTo } from '../../../../../platform/browser/api-client.ts';

/** Lets the payer confirm a payment that waits, in the window of the bank that Stripe opens. */
interface Waiting {
  client_secret: string | null;
  state: 'waiting' | 'paid' | 'failed' | 'none';
}

function start(box: HTMLElement): void {
  const texts = JSON.parse(box.dataset.texts!) as { blocked: string; failed: string; waits: string };
  // none for a payment of Plus
  const server_id = box.dataset.confirm || undefined;
  const button = box.querySelector<HTMLButtonElement>('[data-confirm-go]')!;
  const say = (text: string): void => {
    box.querySelector('[data-confirm-said]')!.textContent = text;
  };
  const ask = (): Promise<ApiResult<Waiting>> =>
    sendTo<Waiting>('/_internal/billing/confirm', { method: 'POST', json: { server_id } });
  const reload = (): void => location.assign(location.pathname + location.search);

  async function confirm(): Promise<void> {
    const asked = await ask();
    if (!asked.ok) return say(asked.error.description || texts.blocked);
    const { client_secret, state } = asked.data;
    if (state !== 'waiting') return reload();
    if (client_secret === null) return say(texts.waits);
    const library = await import('./open-stripe.ts').catch(() => null);
    const stripe = await library?.openStripe(box.dataset.key!, box.dataset.locale!);
    if (!stripe) return say(texts.blocked);
    const done = await stripe.handleNextAction({ clientSecret: client_secret }).catch(() => null);
    if (!done || done.error) say(done?.error?.message ?? texts.failed);
    // what became of it is read again by the server
    const settled = await ask();
    if (settled.ok && settled.data.state !== 'waiting') reload();
  }

  button.addEventListener('click', async () => {
    if (button.ariaBusy) return;
    button.ariaBusy = 'true';
    say('');
    await confirm();
    button.ariaBusy = null;
  });
}

for (const box of document.querySelectorAll<HTMLElement>('[data-confirm]')) start(box);
