import { sendTo } from '../../browser/api-client.ts';
import { $viewer } from '../../browser/current-user.store.ts';
import { mutate, sendWaiting } from '../../browser/mutate.ts';

/**
 * The banner of an address that waits for its mailed link (`SystemBanners.astro`): says which one, mails the link again
 * without leaving the page, and sends again what was refused for it once the link was opened elsewhere. Loaded for whoever has
 * such an address.
 */
$viewer.subscribe((viewer) => {
  if (!viewer) return;
  for (const place of document.querySelectorAll('[data-unverified-address]'))
    place.textContent = viewer.unverified;
  if (viewer.user && !viewer.unverified) sendWaiting();
});

for (const form of document.querySelectorAll<HTMLFormElement>('[data-resend]'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { resend: title = '', resendText: text = '' } = form.dataset;
    // the link leads back to this page
    const json = { redirect: location.pathname + location.search };
    void mutate({
      send: () => sendTo(form.getAttribute('action')!, { method: 'POST', json }),
      success: { title, text },
    });
  });
