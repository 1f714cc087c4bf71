import type Docker from 'dockerode';
import { type Engine, refusedWith } from './engine.ts';
import type { ImageWanted } from './kinds.ts';

type ImageOf = (docker: Docker, wanted: ImageWanted, say: (line: string) => void) => Promise<string>;

/** Names of images, each found or made once at a time: what was found is looked for before it is worked out again. */
export function imageNames({ docker, streams }: Engine, imageOf: ImageOf, say: (line: string) => void) {
  const making = new Map<string, Promise<string>>();
  const names = new Map<string, string>();
  const isThere = async (name: string): Promise<boolean> => {
    try {
      await docker.getImage(name).inspect();
      return true;
    } catch (error) {
      if (refusedWith(error) === 404) return false;
      throw error;
    }
  };
  const make = async (key: string, wanted: ImageWanted): Promise<string> => {
    const known = names.get(key);
    if (known && (await isThere(known))) return known;
    const name = await imageOf(streams, wanted, say);
    names.set(key, name);
    return name;
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
