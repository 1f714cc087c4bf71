/** How a picture is enlarged and moved. Pure. */
export interface View {
  /** Pixels of the screen for one of the picture. */
  scale: number;
  /** From the middle of the frame to the middle of the picture, in pixels of the screen. */
  x: number;
  y: number;
}

/** Source: screens §A.8 (Files). */
export const scales = { min: 0.1, max: 5 } as const;
/** Longest side of a picture that is shown. Source: screens §A.8 (Files). */
export const max_side_px = 4_096;
const step = 1.25;

const within = (scale: number): number => Math.min(scales.max, Math.max(scales.min, scale));

/** The whole picture, at most as large as it is. */
export const fitted = (
  picture: { width: number; height: number },
  frame: { width: number; height: number },
): View => ({
  ...{ x: 0, y: 0 },
  scale: within(Math.min(1, frame.width / picture.width, frame.height / picture.height)),
});

/** Larger or smaller by steps; the point `at`, from the middle of the frame, stays where it is. */
export function zoomed(view: View, steps: number, at = { x: 0, y: 0 }): View {
  const scale = within(view.scale * step ** steps);
  const factor = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor };
}

export const panned = (view: View, x: number, y: number): View => ({ ...view, x: view.x + x, y: view.y + y });
