import type Docker from 'dockerode';
import { type DockerConnection, statusOf } from '../docker/client.ts';
import type { ImageSource } from '../plan/kinds.ts';
import type { ImagePins } from './pins.ts';

type EnsureImage = (docker: Docker, wanted: ImageSource, say: (line: string) => void) => Promise<string>;

/**
 * References of images, each found, built or pulled once at a time. What comes from a registry is pinned by its digest when
 * it is pulled first: from then on this node runs that one, whatever its tag stands for by then.
 */
export function imageResolver(
  { api, streams }: DockerConnection,
  options: { ensureImage: EnsureImage; pins: ImagePins; say(line: string): void },
) {
  const { ensureImage, pins, say } = options;
  const making = new Map<string, Promise<string>>();
  const names = new Map<string, string>();
  const inspect = async (name: string): Promise<Docker.ImageInspectInfo | null> => {
    try {
      return await api.getImage(name).inspect();
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  };
  const make = async (key: string, wanted: ImageSource): Promise<string> => {
    const known = names.get(key);
    if (known && (await inspect(known))) return known;
    const name = await ('pull' in wanted ? pinned(wanted.pull) : ensureImage(streams, wanted, say));
    names.set(key, name);
    return name;
  };
  const pinned = async (name: string): Promise<string> => {
    const digest = pins.digestOf(name);
    if (digest) return await ensureImage(streams, { pull: digest }, say);
    const pulled = await ensureImage(streams, { pull: name }, say);
    // an image that an operator loaded or built has no digest of a registry
    const [reference] = (await inspect(pulled))?.RepoDigests ?? [];
    if (!reference) return pulled;
    pins.pin(name, reference);
    return reference;
  };
  return {
    resolve(wanted: ImageSource): Promise<string> {
      const key = JSON.stringify(wanted);
      const now = making.get(key) ?? make(key, wanted).finally(() => making.delete(key));
      making.set(key, now);
      return now;
    },
  };
}
