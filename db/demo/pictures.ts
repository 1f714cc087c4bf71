import { type PaletteName, paletteNames } from './art/palettes.ts';
import type { SceneKind } from './art/pictures.ts';
import { random } from './art/random.ts';
import type { ListedProject } from './catalogue.ts';
import { captions } from './data/captions.ts';
import { showcase } from './data/showcase.ts';
import type { Look } from './looks.ts';
import { shuffled } from './scenes.ts';

/** A gallery image before it is drawn. */
export interface PlannedPicture {
  /** Seed of the drawing, with its kind and palette. */
  seed: string;
  kind: SceneKind;
  palette: PaletteName;
  /** Of the original, in pixels. */
  width: number;
  title: string;
  description: string | null;
  featured: boolean;
}

/** One image for each scene of the look, the icon's palette first; the first one is featured. */
export function picturesOf(
  slug: string,
  { title }: ListedProject,
  { palette, scenes }: Look,
): PlannedPicture[] {
  const r = random(`gallery:${slug}`);
  const others = shuffled(
    r,
    paletteNames.filter((name) => name !== palette),
  );
  return scenes.map((kind, at) => {
    const [caption, description] = r.pick(captions[kind]);
    return {
      seed: `${slug} ${at}`,
      kind,
      palette: at < 2 ? palette : others[at]!,
      width: showcase.has(slug) ? 1600 : 1280,
      title: caption.replace('{title}', title),
      description: r.next() < 0.8 ? description.replace('{title}', title) : null,
      featured: at === 0,
    };
  });
}
