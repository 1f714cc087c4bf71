export {};

/** Files that members drop on the list of versions open the form for a new one with them. */
for (const button of document.querySelectorAll<HTMLElement>('[data-drop]')) {
  const mayDrop = ({ dataTransfer }: DragEvent) => !button.hidden && dataTransfer?.types.includes('Files');
  addEventListener('dragover', (event) => {
    if (mayDrop(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!mayDrop(event)) return;
    event.preventDefault();
    const files = [...event.dataTransfer!.files];
    void import('../dropped-files.ts').then(async ({ keepDropped }) => {
      await keepDropped(files);
      const form = new URL(button.dataset.drop!, location.href);
      form.searchParams.set('dropped', '');
      location.assign(form);
    });
  });
}
