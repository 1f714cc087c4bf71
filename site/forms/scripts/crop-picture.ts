/**
 * Crops the picture that was chosen in the form of a `PicturePicker.astro` to a square before it is sent: a pointer or the arrow
 * keys move it, the slider, the wheel, + and - zoom. Pictures with movement (GIF) are sent as they are.
 */
const side = 512;
const max_bytes = 262_144;
const qualities = [0.92, 0.8, 0.6, 0.4];

export function cropIn(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('[type=file]')!;
  const crop = form.querySelector<HTMLElement>('[data-crop]')!;
  const canvas = crop.querySelector('canvas')!;
  const zoom = crop.querySelector<HTMLInputElement>('[data-zoom]')!;
  const context = canvas.getContext('2d')!;
  let image: ImageBitmap | null = null;
  /** The middle of what is shown, as a part of the picture. */
  let middle = { x: 0.5, y: 0.5 };

  /** How many pixels of the picture the square shows in each direction. */
  const shown = () => Math.min(image!.width, image!.height) / Number(zoom.value);

  function draw(): void {
    if (!image) return;
    const size = shown();
    const within = (at: number, length: number) => {
      const half = size / 2 / length;
      return Math.min(Math.max(at, half), 1 - half);
    };
    middle = { x: within(middle.x, image.width), y: within(middle.y, image.height) };
    const [x, y] = [middle.x * image.width - size / 2, middle.y * image.height - size / 2];
    context.clearRect(0, 0, side, side);
    context.drawImage(image, x, y, size, size, 0, 0, side, side);
  }

  /** Moves by a part of the square. */
  function move(x: number, y: number): void {
    if (!image) return;
    middle = { x: middle.x + (x * shown()) / image.width, y: middle.y + (y * shown()) / image.height };
    draw();
  }

  function zoomBy(factor: number): void {
    zoom.value = String(Number(zoom.value) * factor);
    draw();
  }

  async function choose(): Promise<void> {
    const [file] = input.files ?? [];
    image?.close();
    image = null;
    if (file && file.type !== 'image/gif') image = await createImageBitmap(file).catch(() => null);
    crop.hidden = image === null;
    zoom.value = '1';
    middle = { x: 0.5, y: 0.5 };
    draw();
  }

  const encoded = (type: string, quality: number) =>
    new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));

  /** The square as a file of at most 256 KiB; null when the browser cannot make one. */
  async function cropped(): Promise<File | null> {
    const png = await encoded('image/png', 1);
    if (png && png.size <= max_bytes) return new File([png], 'picture.png', { type: 'image/png' });
    for (const quality of qualities) {
      const blob = await encoded('image/webp', quality);
      if (blob?.type === 'image/webp' && blob.size <= max_bytes)
        return new File([blob], 'picture.webp', { type: blob.type });
    }
    const jpeg = await encoded('image/jpeg', 0.7);
    return jpeg && new File([jpeg], 'picture.jpg', { type: 'image/jpeg' });
  }

  input.addEventListener('change', () => void choose());
  zoom.addEventListener('input', draw);
  canvas.addEventListener('pointerdown', ({ pointerId }) => canvas.setPointerCapture(pointerId));
  canvas.addEventListener('pointermove', ({ buttons, movementX, movementY }) => {
    if (buttons) move(-movementX / canvas.clientWidth, -movementY / canvas.clientHeight);
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', (event) => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-0.05, 0],
      ArrowRight: [0.05, 0],
      ArrowUp: [0, -0.05],
      ArrowDown: [0, 0.05],
    };
    const step = steps[event.key];
    if (step) move(...step);
    else if (event.key === '+' || event.key === '-') zoomBy(event.key === '+' ? 1.1 : 1 / 1.1);
    else return;
    event.preventDefault();
  });
  form.addEventListener('submit', async (event) => {
    if (!image || (event.submitter as HTMLElement | null)?.dataset.remove !== undefined) return;
    event.preventDefault();
    const file = await cropped();
    if (file) {
      const files = new DataTransfer();
      files.items.add(file);
      input.files = files.files;
    }
    form.submit();
  });
  void choose();
}
