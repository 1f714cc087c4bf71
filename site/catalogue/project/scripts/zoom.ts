interface Zoom {
  isOn(): boolean;
  off(): void;
  toggle(): void;
  /** Another original was loaded: checks again whether it can be zoomed. */
  loaded(): void;
  /** Pans a zoomed image by an arrow key; false when there is nothing to pan. */
  pan(key: string): boolean;
}

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const step_px = 80;
const slack_px = 4;

/**
 * Shows an image fitted or at its natural size, where the stage scrolls: dragged with the mouse, by touch natively. A
 * click on the image toggles at that point, a click beside it calls `beside`. Only images larger than the stage have
 * two sizes.
 */
export function zoomable(
  stage: HTMLElement,
  image: HTMLImageElement,
  button: HTMLButtonElement,
  beside: () => void,
): Zoom {
  let on = false;
  let dragged = false;
  const can = () => image.dataset.state === 'loaded' && image.naturalWidth > drawn(image).width + 1;

  function set(next: boolean, point?: { x: number; y: number }): void {
    const box = drawn(image);
    const part = point
      ? { x: (point.x - box.left) / box.width, y: (point.y - box.top) / box.height }
      : { x: 0.5, y: 0.5 };
    on = next;
    stage.classList.toggle('zoomed', on);
    stage.tabIndex = on ? 0 : -1;
    image.style.inlineSize = on ? `${image.naturalWidth}px` : '';
    button.setAttribute('aria-pressed', String(on));
    if (!on) return;
    const room = stage.getBoundingClientRect();
    const at = point ?? { x: room.left + room.width / 2, y: room.top + room.height / 2 };
    stage.scrollLeft = part.x * image.offsetWidth - (at.x - room.left);
    stage.scrollTop = part.y * image.offsetHeight - (at.y - room.top);
  }
  const label = button.title;
  const known = () => {
    const idle = !on && !can();
    button.setAttribute('aria-disabled', String(idle));
    button.title = idle ? button.dataset.why! : label;
  };
  const switched = (point?: { x: number; y: number }) => {
    if (on || can()) set(!on, point);
  };

  button.addEventListener('click', () => switched());
  stage.addEventListener('click', ({ target, clientX: x, clientY: y }) => {
    if (dragged || (target !== stage && target !== image)) return;
    const { left, right, top, bottom } = drawn(image);
    const inside = !image.hidden && x >= left && x <= right && y >= top && y <= bottom;
    if (inside) switched({ x, y });
    else beside();
  });
  stage.addEventListener('pointerdown', (event) => {
    dragged = false;
    if (!on || event.pointerType !== 'mouse' || event.button !== 0) return;
    const from = { x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
    const begun = { x: event.clientX, y: event.clientY };
    const move = ({ clientX, clientY }: PointerEvent) => {
      dragged ||= Math.hypot(clientX - begun.x, clientY - begun.y) > slack_px;
      stage.scrollTo(from.x - clientX, from.y - clientY);
    };
    const ended = new AbortController();
    stage.setPointerCapture(event.pointerId);
    stage.addEventListener('pointermove', move, { signal: ended.signal });
    for (const name of ['pointerup', 'pointercancel'] as const)
      stage.addEventListener(name, () => ended.abort(), { signal: ended.signal });
  });
  addEventListener('resize', known);
  return {
    isOn: () => on,
    off() {
      if (on) set(false);
      known();
    },
    toggle: () => switched(),
    loaded: known,
    pan(key) {
      const by = steps[key];
      if (!on || !by) return false;
      stage.scrollBy(by[0] * step_px, by[1] * step_px);
      return true;
    },
  };
}

/** Where the image itself is drawn: when fitted, its element is larger. Only a small copy is drawn above its own size. */
function drawn(image: HTMLImageElement): DOMRect {
  const box = image.getBoundingClientRect();
  const { naturalWidth: width, naturalHeight: height } = image;
  if (!width || !height) return box;
  const most = image.dataset.state === 'small' ? Number.POSITIVE_INFINITY : 1;
  const scale = Math.min(most, box.width / width, box.height / height);
  const [w, h] = [width * scale, height * scale];
  return new DOMRect(box.left + (box.width - w) / 2, box.top + (box.height - h) / 2, w, h);
}
