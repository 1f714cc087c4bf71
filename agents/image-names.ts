import type Docker from 'dockerode';
import { type Engine, refusedWith } from './engine.ts';
import type { ImagePins } from './images/pins.ts';
import type { ImageWanted } from './kinds.ts';

type ImageOf = (docker: Docker, wanted: ImageWanted, say: (line: string) => void) => Promise<string>;

/**
 * References of images, each found, built or pulled once at a time. What comes from a registry is pinned by its digest when
 * it is pulled first: from then on this node runs that one, whatever its tag stands for by then.
 */
export function imageNames(
  { docker, streams }: Engine,
  needs: { imageOf: ImageOf; pins: ImagePins; say(line: string): void },
) {
  const { imageOf, pins, say } = needs;
  const making = new Map<string, Promise<string>>();
  const names = new Map<string, string>();
  const inspect = async (name: string): Promise<Docker.ImageInspectInfo | null> => {
    try {
      return await docker.getImage(name).inspect();
    } catch (error) {
      if (refusedWith(error) === 404) return null;
      throw error;
    }
  };
  const make = async (key: string, wanted: ImageWanted): Promise<string> => {
    const known = names.get(key);
    if (known && (await inspect(known))) return known;
    const name = await ('pull' in wanted ? pinned(wanted.pull) : imageOf(streams, wanted, say));
    names.set(key, name);
    return name;
  };
  const pinned = async (name: string): Promise<string> => {
    const digest = pins.digestOf(name);
    if (digest) return await imageOf(streams, { pull: digest }, say);
    const pulled = await imageOf(streams, { pull: name }, say);
    // an image that an operator loaded or built has no digest of a registry
    const [reference] = (await inspect(pulled))?.RepoDigests ?? [];
    if (!reference) return pulled;
    pins.pin(name, reference);
    return reference;
  };
  return {
    nameOf(wanted: ImageWanted): Promise<string> {
      const key = JSON.stringify(wanted);
      const now = making.get(key) ?? make(key, wanted).finally(() => making.delete(key));
      making.set(key, now);
      return now;
    },
  };
}
