/** The bar above the table of one's projects: counts the chosen ones, chooses all, and needs one to go on. */
for (const form of document.querySelectorAll<HTMLFormElement>('[data-selection]')) {
  const all = form.querySelector<HTMLInputElement>('[data-select-all]')!;
  const said = form.querySelector<HTMLElement>('[data-selected]')!;
  const edit = form.querySelector<HTMLElement>('[data-edit]')!;
  const none = said.textContent!;
  const boxes = () => [...form.querySelectorAll<HTMLInputElement>('[name=id]:enabled')];

  function update(): void {
    const chosen = boxes().filter(({ checked }) => checked).length;
    all.checked = chosen > 0 && chosen === boxes().length;
    all.indeterminate = chosen > 0 && !all.checked;
    said.textContent = chosen > 0 ? form.dataset.selection!.replace('{shown}', String(chosen)) : none;
    edit.ariaDisabled = String(chosen === 0);
  }

  form.addEventListener('change', ({ target }) => {
    if (target === all) for (const box of boxes()) box.checked = all.checked;
    update();
  });
  addEventListener('pageshow', update);
  update();
}
