import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { sendTo } from '../../../browser/api-client.ts';
import { darkAppearance, openStripe } from './open-stripe.ts';

/**
 * The form of Stripe in `CardEntry.astro`: loads when a card is asked for, and confirms it before the form around it is sent.
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
  const wants = (): boolean =>
    (form.querySelector<HTMLInputElement>('[name=card_choice]:checked')?.value ?? 'new') === 'new';
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
    const begun = await sendTo<{ client_secret: string }>('/_internal/billing/method', {
      method: 'POST',
      json: {},
    });
    const stripe = begun.ok ? await openStripe(entry.dataset.cardEntry!, entry.dataset.locale!) : null;
    if (begun.ok && stripe) {
      const elements = stripe.elements({
        clientSecret: begun.data.client_secret,
        appearance: darkAppearance(),
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

  // before the script of the form sends it
  form.addEventListener(
    'submit',
    (event) => {
      if (!wants() || field.value) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void confirm(event.submitter);
    },
    { capture: true },
  );
  // a card that was refused is entered again
  form.addEventListener('form:refused', () => {
    if (!field.value) return;
    field.value = '';
    open?.elements.getElement('payment')?.destroy();
    open = null;
    void load();
  });
  form.addEventListener('change', () => {
    part('new').hidden = !wants();
    if (wants()) void load();
  });
  part('retry').addEventListener('click', () => void load());
  if (wants()) void load();
}

for (const entry of document.querySelectorAll<HTMLElement>('[data-card-entry]')) start(entry);
