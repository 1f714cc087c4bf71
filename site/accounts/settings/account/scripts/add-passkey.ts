import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { type ApiError, sendTo } from '../../../../platform/browser/api-client.ts';
import { mutate } from '../../../../platform/browser/mutate.ts';
import { passkeysWork } from '../../../sign-in/passkeys-work.ts';

/** Adds a passkey with the name in its form. The library is loaded when it is first sent. */
interface Asked {
  options: PublicKeyCredentialCreationOptionsJSON;
  flow: string;
}
const path = '/_internal/auth/passkey/register';

function start(form: HTMLFormElement): void {
  const texts = JSON.parse(form.dataset.addPasskey!) as { failed: string; unavailable: string };
  const said = form.querySelector<HTMLElement>('[role=alert]')!;
  const button = form.querySelector<HTMLElement>('[type=submit]')!;
  const refused = ({ code, description }: ApiError) => {
    if (code === 'proof_required') return false; // leads to the page for it
    said.textContent = description || texts.failed;
    return true;
  };
  form.hidden = false;
  if (!passkeysWork()) {
    button.ariaDisabled = 'true';
    said.textContent = texts.unavailable;
  }

  async function add(name: string): Promise<void> {
    said.textContent = '';
    const asked = await mutate({ send: () => sendTo<Asked>(`${path}/start`, { method: 'POST' }), refused });
    if (!asked.ok) return;
    const { startRegistration } = await import('@simplewebauthn/browser');
    const { options, flow } = asked.data;
    const credential = await startRegistration({ optionsJSON: options }).catch(() => null); // closed or not possible
    if (!credential) {
      said.textContent = texts.failed;
      return;
    }
    await mutate({
      send: () => sendTo(`${path}/finish`, { method: 'POST', json: { flow, name, credential } }),
      redirect: () => `${location.pathname}${location.search.replace('error=proof_required', '')}`,
      refused,
    });
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.ariaBusy || button.ariaDisabled) return;
    button.ariaBusy = 'true';
    // a name helps to tell several apart, but nobody has to think of one
    const field = form.querySelector<HTMLInputElement>('[name=name]')!;
    await add(field.value.trim() || field.dataset.default!);
    button.ariaBusy = null;
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-add-passkey]')) start(form);
