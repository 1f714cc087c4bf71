import { type Point, smooth } from './draw.ts';
import type { Random } from './random.ts';
import { height, width } from './sky.ts';

/** A wall that fills the image but for a rough round opening; `rough` is how far its rim departs from an ellipse. */
export function caveWall(
  r: Random,
  [x, y]: Point,
  [rx, ry]: Point,
  { points, rough, fill }: { points: number; rough: number; fill: string },
): string {
  const rim = Array.from({ length: points }, (_, j): Point => {
    const a = (j / points) * 6.283,
      w = r.range(1 - rough, 1 + rough);
    return [x + Math.cos(a) * rx * w, y + Math.sin(a) * ry * w];
  });
  return `<path fill-rule="evenodd" d="M0 0H${width}V${height}H0Z${smooth(rim)}" fill="${fill}"/>`;
}
