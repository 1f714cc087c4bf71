/**
 * Crops the picture that was chosen in the form of a `PicturePicker.astro` to the shape of its canvas before it is sent: a pointer
 * or the arrow keys move it, the slider, the wheel, + and - zoom. Pictures with movement (GIF) are sent as they are.
 */
const qualities = [0.92, 0.8, 0.6, 0.4];

export function cropIn(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('[type=file]')!;
  const crop = form.querySelector<HTMLElement>('[data-crop]')!;
  const canvas = crop.querySelector('canvas')!;
  const zoom = crop.querySelector<HTMLInputElement>('[data-zoom]')!;
  const { width, height } = canvas;
  const max_bytes = Number(form.dataset.picture);
  const context = canvas.getContext('2d')!;
  let image: ImageBitmap | null = null;
  /** The middle of what is shown, as a part of the picture. */
  let middle = { x: 0.5, y: 0.5 };

  /** How many pixels of the picture the canvas shows in each direction. */
  function shown() {
    const scale = Math.min(image!.width / width, image!.height / height) / Number(zoom.value);
    return { x: width * scale, y: height * scale };
  }

  function draw(): void {
    if (!image) return;
    const size = shown();
    const within = (at: number, part: number) => Math.min(Math.max(at, part / 2), 1 - part / 2);
    middle = { x: within(middle.x, size.x / image.width), y: within(middle.y, size.y / image.height) };
    const [x, y] = [middle.x * image.width - size.x / 2, middle.y * image.height - size.y / 2];
    context.clearRect(0, 0, width, height);
    context.drawImage(image, x, y, size.x, size.y, 0, 0, width, height);
  }

  /** Moves by a part of the canvas. */
  function move(x: number, y: number): void {
    if (!image) return;
    const size = shown();
    middle = { x: middle.x + (x * size.x) / image.width, y: middle.y + (y * size.y) / image.height };
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

  /** What is shown as a file of at most `max_bytes`; null when the browser cannot make one. */
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
