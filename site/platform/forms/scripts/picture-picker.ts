/**
 * What crops a picture is loaded once one was chosen, also before this ran; sent before that, it goes as it is. The buttons to save
 * it come with it.
 */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-picture]')) {
  const input = form.querySelector<HTMLInputElement>('[type=file]')!;
  const show = () => {
    const file = input.files?.[0];
    form.toggleAttribute('data-chosen', file !== undefined);
    form.querySelector('[data-chosen-name]')!.textContent = file?.name ?? '';
  };
  const drop = form.querySelector('[data-drop]')!;
  for (const kind of ['dragover', 'dragleave', 'drop'])
    drop.addEventListener(kind, () => drop.toggleAttribute('data-over', kind === 'dragover'));
  input.addEventListener('change', show);
  form.addEventListener('reset', () => setTimeout(() => input.dispatchEvent(new Event('change'))));
  show();
  const crop = async () => {
    const { cropIn } = await import('./crop-picture.ts');
    cropIn(form);
  };
  if (input.files?.length) void crop();
  else input.addEventListener('change', crop, { once: true });
}

export {};
