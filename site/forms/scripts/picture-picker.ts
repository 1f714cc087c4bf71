/** What crops a picture is loaded once one was chosen; sent before that, it goes as it is. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-picture]'))
  form.querySelector('[type=file]')!.addEventListener(
    'change',
    async () => {
      const { cropIn } = await import('./crop-picture.ts');
      cropIn(form);
    },
    { once: true },
  );

export {};
