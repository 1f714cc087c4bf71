interface Swipes {
  may(): boolean;
  swiped(to: 'left' | 'right'): void;
}

const min_px = 48;

/** Reports horizontal swipes with one finger. The image follows the finger, unless reduced motion is preferred. */
export function swipes(stage: HTMLElement, image: HTMLElement, { may, swiped }: Swipes): void {
  let from: { x: number; y: number } | null = null;
  const reduced_motion = matchMedia('(prefers-reduced-motion: reduce)');
  const end = () => {
    from = null;
    image.style.translate = '';
  };
  stage.addEventListener('pointerdown', ({ pointerType, isPrimary, clientX: x, clientY: y }) => {
    if (pointerType !== 'touch') return;
    const pinched = (visualViewport?.scale ?? 1) > 1.01;
    from = isPrimary && !pinched && may() ? { x, y } : null;
  });
  stage.addEventListener('pointermove', ({ clientX }) => {
    if (from && !reduced_motion.matches) image.style.translate = `${clientX - from.x}px`;
  });
  stage.addEventListener('pointerup', ({ clientX, clientY }) => {
    const [x, y] = from ? [clientX - from.x, clientY - from.y] : [0, 0];
    end();
    if (Math.abs(x) >= min_px && Math.abs(x) > Math.abs(y)) swiped(x < 0 ? 'left' : 'right');
  });
  stage.addEventListener('pointercancel', end);
}
