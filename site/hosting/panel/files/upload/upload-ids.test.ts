import { afterEach, expect, it, vi } from 'vitest';
import { forgetUpload, uploadId } from './upload-ids.ts';

afterEach(() => vi.unstubAllGlobals());

/** The storage of a browser that begins empty. */
const memory = () => {
  const values = new Map<string, string>();
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
  vi.stubGlobal('localStorage', storage);
  return storage;
};
const file = { server_id: 'S1', path: 'mods/a.jar', bytes: 7, modified: 5 };
const day = 24 * 3_600_000;

it('gives the same file the same id for a day, and another one to what is not the same', () => {
  memory();
  const id = uploadId(file, 1000);
  expect(uploadId(file, 2000)).toBe(id);
  expect(uploadId({ ...file, path: 'b' }, 2000)).not.toBe(id);
  expect(uploadId({ ...file, bytes: 8 }, 2000)).not.toBe(id);
  expect(uploadId({ ...file, modified: 6 }, 2000)).not.toBe(id);
  expect(uploadId({ ...file, server_id: 'S2' }, 2000)).not.toBe(id);
  expect(uploadId(file, 3000 + day)).not.toBe(id);
});

it('forgets one that has ended', () => {
  memory();
  const id = uploadId(file, 1000);
  const other = uploadId({ ...file, path: 'b' }, 1000);
  forgetUpload(file, 1000);
  expect(uploadId(file, 1000)).not.toBe(id);
  expect(uploadId({ ...file, path: 'b' }, 1000)).toBe(other);
});

it('works with storage that is broken, full or not there', () => {
  const storage = memory();
  storage.setItem('files.uploads', 'null]');
  expect(uploadId(file, 1000)).toMatch(/^[\da-f-]{36}$/);
  const none = {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('full');
    },
  };
  vi.stubGlobal('localStorage', none);
  expect(uploadId(file, 1000)).toMatch(/^[\da-f-]{36}$/);
  expect(() => forgetUpload(file, 1000)).not.toThrow();
});
