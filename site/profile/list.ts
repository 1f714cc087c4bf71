/** The list of a profile is sorted as soon as one chooses; its address says only what is not the default. */
for (const form of document.querySelectorAll<HTMLFormElement>('[data-list]')) {
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) form.requestSubmit();
  });
  form.addEventListener('formdata', ({ formData }) => {
    if (form.querySelector('select')?.selectedIndex === 0) formData.delete('s');
    if (String(formData.get('q')).trim() === '') formData.delete('q');
  });
}
