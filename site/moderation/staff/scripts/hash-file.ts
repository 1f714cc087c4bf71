import type { HashAnswer } from './hash-worker.ts';

/** Computes the hash of a chosen or dropped file in a worker and looks it up; the file itself is never sent. */

function start(form: HTMLFormElement): void {
  const part = <E extends HTMLElement>(name: string) => form.querySelector<E>(`[data-${name}]`)!;
  const [drop, input, status] = [part('drop-file'), part<HTMLInputElement>('file'), part('hash-status')];
  drop.hidden = false;

  function hash(file: File): void {
    status.textContent = status.dataset.working!;
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
    const fail = () => {
      worker.terminate();
      status.textContent = form.dataset.failed!;
    };
    worker.addEventListener('error', fail);
    worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer>) => {
      if ('failed' in data) return fail();
      worker.terminate();
      form.querySelector<HTMLInputElement>('[name=hash]')!.value = data.sha512;
      form.requestSubmit();
    });
    worker.postMessage(file);
  }
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) hash(file);
  });
  drop.addEventListener('dragover', (event) => event.preventDefault());
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) hash(file);
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-hash-form]')) start(form);
