import { chooseConsent, hasChosen, hasConsent, type OptionalPurpose, objects } from '../consent.ts';

/** The form of `/legal/cmp`: shows the choice of this browser and stores a new one. */
const form = document.querySelector<HTMLFormElement>('[data-consent]');

if (form) {
  const switches = [...form.querySelectorAll<HTMLInputElement>('input[role=switch]')];
  const said = form.querySelector<HTMLElement>('[role=status]')!;
  const isRefused = objects(navigator as Parameters<typeof objects>[0]);

  const show = () => {
    for (const one of switches) one.checked = hasConsent(one.name as OptionalPurpose);
  };
  const store = () => {
    chooseConsent(switches.filter(({ checked }) => checked).map((one) => one.name as OptionalPurpose));
    show();
    said.textContent = form.dataset.saved ?? '';
  };

  show();
  if (!hasChosen()) said.textContent = form.dataset.none ?? '';
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-all]'))
    button.addEventListener('click', () => {
      for (const one of switches) one.checked = button.dataset.all === 'yes';
      store();
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    store();
  });
  addEventListener('pageshow', ({ persisted }) => persisted && show());

  if (isRefused) {
    document.querySelector<HTMLElement>('[data-signal]')!.hidden = false;
    for (const one of switches) one.disabled = true;
    form.querySelector<HTMLButtonElement>('[data-all=yes]')!.disabled = true;
  }
  form.removeAttribute('inert');
}
