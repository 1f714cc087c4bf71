/** Submits the form of a list when the sort order changes, without default values in the address. */
for (const form of document.querySelectorAll<HTMLFormElement>('[data-list]')) {
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) form.requestSubmit();
  });
  form.addEventListener('formdata', ({ formData }) => {
    if (form.querySelector('select')?.selectedIndex === 0) formData.delete('s');
    if (String(formData.get('q')).trim() === '') formData.delete('q');
  });
}
