import type { Settings } from '../runtime/env.ts';
import { diskStorage } from './disk.ts';
import type { Storage } from './storage.ts';

/** The storage chosen by the settings: today plain files below DATA_DIR. Choose other adapters here. */
export const openStorage = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): Storage => diskStorage(DATA_DIR);
