import { atom } from 'nanostores';
import type { UploadQueue } from './upload-queue.ts';

/** The uploads of this page; written by `upload/uploads.ts`. */
export const $uploads = atom<UploadQueue>([]);
