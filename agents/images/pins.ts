import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const shape = z.record(z.string(), z.string());

/** Names of images in registries and the digests they stand for on this node. */
export interface ImagePins {
  digestOf(name: string): string | null;
  pin(name: string, reference: string): void;
}

/**
 * Pins in `images.json` of the agent's folder: a tag may be moved in its registry, a digest may not. Operators may fill or
 * change the file; it is read each time. Throws when the file is no JSON object of texts.
 */
export function imagePins(data: string): ImagePins {
  const file = join(data, 'images.json');
  const read = (): Record<string, string> =>
    existsSync(file) ? shape.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  return {
    digestOf(name) {
      const pins = read();
      return Object.hasOwn(pins, name) ? pins[name]! : null;
    },
    pin(name, reference) {
      const part = `${file}.part`;
      writeFileSync(part, `${JSON.stringify({ ...read(), [name]: reference }, null, 2)}\n`, { flush: true });
      renameSync(part, file);
    },
  };
}
