import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { type ApiError, sendTo } from '../../../platform/browser/api-client.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { passkeysWork } from '../passkeys-work.ts';

/**
 * Buttons that ask for a passkey: `data-start` gives what to ask with, the answer goes to `data-finish`. With
 * `data-autofill` the browser also offers passkeys in the field of the username. The library is loaded on first use.
 */
interface Asked {
  options: PublicKeyCredentialRequestOptionsJSON;
  flow: string;
}

function start(button: HTMLElement): void {
  const { start: from = '', finish = '', redirect, failed = '' } = button.dataset;
  const said = button.parentElement!.querySelector<HTMLElement>('[data-passkey-said]')!;
  const say = (text: string) => {
    said.textContent = text;
  };
  const refused = (error: ApiError) => {
    const { to } = error.details;
    if (typeof to === 'string') location.assign(to);
    else say(error.description || failed);
    return true;
  };

  async function ask(autofill: boolean): Promise<void> {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    const asked = await sendTo<Asked>(from, { method: 'POST' });
    if (!asked.ok) {
      if (!autofill) refused(asked.error);
      return;
    }
    const { options, flow } = asked.data;
    const credential = await startAuthentication({
      optionsJSON: options,
      useBrowserAutofill: autofill,
    }).catch(
      () => null, // closed, or nothing was chosen
    );
    if (!credential) {
      if (!autofill) say(failed);
      return;
    }
    say('');
    const hl = new URLSearchParams(location.search).get('hl') ?? undefined;
    await mutate({
      send: () =>
        sendTo<{ to: string }>(finish, { method: 'POST', json: { flow, credential, redirect, hl } }),
      refresh: (detail) => button.dispatchEvent(new CustomEvent('form:sent', { bubbles: true, detail })),
      redirect: ({ to }) => to,
      refused,
    });
  }

  button.hidden = false;
  button.addEventListener('click', async () => {
    if (button.ariaBusy) return;
    button.ariaBusy = 'true';
    await ask(false);
    button.ariaBusy = null;
  });
  if (button.dataset.autofill !== undefined)
    PublicKeyCredential.isConditionalMediationAvailable?.().then((can) => (can ? ask(true) : undefined));
}

if (passkeysWork())
  for (const button of document.querySelectorAll<HTMLElement>('[data-passkey]')) start(button);
