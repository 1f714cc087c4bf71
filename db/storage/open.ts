import type { Settings } from '../runtime/env.ts';
import { diskStorage } from './disk.ts';
import type { Storage } from './storage.ts';

/** The storage that the settings name: today plain files below DATA_DIR. Another store is chosen here. */
export const openStorage = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): Storage => diskStorage(DATA_DIR);
