/** A select that shows something else at once; without scripts there is a button beside it. */
for (const select of document.querySelectorAll<HTMLSelectElement>('[data-submits]'))
  select.addEventListener('change', () => select.form?.requestSubmit());

export {};
