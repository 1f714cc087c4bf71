import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { sendTo } from '../../../../../platform/browser/api-client.ts';
import { another_card } from '../../../another-card.ts';

/**
 * The form of Stripe in `CardForm.astro`: loads when a card is asked for, and confirms it before the form around it is sent.
 * What is wrong is said in place; what did not load can be tried again.
 */
interface Open {
  stripe: Stripe;
  elements: StripeElements;
}

function start(entry: HTMLElement): void {
  const part = <E extends HTMLElement>(name: string) => entry.querySelector<E>(`[data-card-${name}]`)!;
  const texts = JSON.parse(entry.dataset.texts!) as { failed: string; blocked: string };
  const form = entry.closest('form')!;
  const field = part<HTMLInputElement>('field');
  /** What the field says as long as no card is entered: it is hidden, or the choice of another card. */
  const unset = field.type === 'hidden' ? '' : another_card;
  field.value = unset; // a browser may restore what was confirmed for an earlier page
  const wants = (): boolean => field.type === 'hidden' || field.checked;
  let open: Open | null = null;
  let loading = false;

  const say = (text: string, retry = false): void => {
    part('wrong').textContent = text;
    part('retry').hidden = !retry;
  };
  const busy = (on: boolean): void => {
    for (const button of form.querySelectorAll<HTMLButtonElement>('[type=submit]')) {
      button.disabled = on;
      button.ariaBusy = on ? 'true' : null;
    }
  };

  async function load(): Promise<void> {
    if (open || loading) return;
    loading = true;
    say('');
    part('loading').hidden = false;
    const library = import('./open-stripe.ts').catch(() => null);
    const begun = await sendTo<{ client_secret: string }>('/_internal/billing/method', {
      method: 'POST',
      json: {},
    });
    const found = begun.ok ? await library : null;
    const stripe = await found?.openStripe(entry.dataset.cardEntry!, entry.dataset.locale!);
    if (begun.ok && found && stripe) {
      const elements = stripe.elements({
        clientSecret: begun.data.client_secret,
        appearance: found.darkAppearance(),
      });
      const element = elements.create('payment');
      element.on('loaderror', () => {
        open = null;
        element.destroy();
        say(texts.blocked, true);
      });
      element.mount(part('form'));
      open = { stripe, elements };
    } else say((!begun.ok && begun.error.description) || texts.blocked, true);
    part('loading').hidden = true;
    loading = false;
  }

  async function confirm(submitter: HTMLElement | null): Promise<void> {
    if (!open) return void load();
    busy(true);
    say('');
    const { stripe, elements } = open;
    // a connection that is lost rejects
    const done = await stripe
      .confirmSetup({ elements, redirect: 'if_required', confirmParams: { return_url: location.href } })
      .catch(() => null);
    busy(false);
    if (done?.setupIntent?.status !== 'succeeded') return say(done?.error?.message ?? texts.failed);
    field.value = done.setupIntent.id;
    form.requestSubmit(submitter);
  }

  /** Nothing is asked of Stripe as long as nobody sees the form. */
  const folded = entry.closest('details');
  const ask = (): void => {
    if (wants() && folded?.open !== false) void load();
  };

  // before the script of the form sends it
  form.addEventListener(
    'submit',
    (event) => {
      if (!wants() || field.value !== unset) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void confirm(event.submitter);
    },
    { capture: true },
  );
  // a card that was refused is entered again
  form.addEventListener('form:refused', () => {
    if (field.value === unset) return;
    field.value = unset;
    open?.elements.getElement('payment')?.destroy();
    open = null;
    void load();
  });
  form.addEventListener('change', () => {
    part('new').hidden = !wants();
    ask();
  });
  part('retry').addEventListener('click', () => void load());
  ask();
  folded?.addEventListener('toggle', ask);
}

for (const entry of document.querySelectorAll<HTMLElement>('[data-card-entry]')) start(entry);
