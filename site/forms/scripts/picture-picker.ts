/** What crops a picture is loaded once one was chosen, also before this ran; sent before that, it goes as it is. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-picture]')) {
  const input = form.querySelector<HTMLInputElement>('[type=file]')!;
  const crop = async () => {
    const { cropIn } = await import('./crop-picture.ts');
    cropIn(form);
  };
  if (input.files?.length) void crop();
  else input.addEventListener('change', crop, { once: true });
}

export {};
