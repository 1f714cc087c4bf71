/** Submits the form of a select on change; without scripts there is a button beside it. */
for (const select of document.querySelectorAll<HTMLSelectElement>('[data-submits]'))
  select.addEventListener('change', () => select.form?.requestSubmit());

export {};
