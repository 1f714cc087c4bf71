/** Images that are chosen, dropped on the page or pasted into it; what sends them is loaded with the first. */
function start(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('[type=file]')!;
  const drop = form.querySelector<HTMLElement>('[data-drop]')!;
  let uploads: Promise<(files: Iterable<File>) => void> | null = null;
  input.multiple = true;

  async function take(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    uploads ??= import('./uploads.ts').then(({ openUploads }) => openUploads(form));
    (await uploads)(files);
  }

  const holdsFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false;
  const takeChosen = () => {
    void take([...(input.files ?? [])]);
    input.value = '';
  };
  input.addEventListener('change', takeChosen);
  takeChosen(); // before this ran
  addEventListener('paste', ({ clipboardData }) => {
    if (!input.matches(':disabled')) void take([...(clipboardData?.files ?? [])]);
  });
  for (const type of ['dragover', 'dragleave', 'drop'] as const)
    addEventListener(type, (event) => {
      if (input.matches(':disabled') || !holdsFiles(event.dataTransfer)) return;
      event.preventDefault(); // a file beside the field must not replace the page
      drop.toggleAttribute('data-over', type === 'dragover');
      if (type === 'drop') void take([...event.dataTransfer!.files]);
    });
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-gallery-add]')) start(form);

export {};
