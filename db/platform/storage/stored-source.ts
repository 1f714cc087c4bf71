import { buffer } from 'node:stream/consumers';
import { Refused } from '../errors.ts';
import type { ByteSource, Storage } from './storage.ts';

/** A stored object as a source of random reads, whatever store it is in. Opening it refuses `not_found` when it is gone. */
export const storedSource = (storage: Pick<Storage, 'head' | 'read'>, key: string): ByteSource => ({
  async open() {
    const object = await storage.head(key);
    if (!object) throw new Refused('not_found');
    const { size } = object;
    return {
      size,
      async readAt(position, length) {
        const end = Math.min(position + length, size) - 1;
        if (end < position) return Buffer.alloc(0);
        const stream = await storage.read(key, { start: position, end });
        if (!stream) throw new Refused('not_found'); // removed meanwhile
        return await buffer(stream);
      },
      close: async () => {},
    };
  },
});
