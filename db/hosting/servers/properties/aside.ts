import { aside } from '../../../platform/runtime/aside.ts';
import { changeProperties, type PropertiesFile, readProperties } from './file.ts';

/** A file of properties has 3 KB; what is much longer is read beside the thread that everybody shares. */
const quick_bytes = 16 * 1024;

const job = { module: new URL('./file.ts', import.meta.url), limit_ms: 5_000 };
const readFar = aside<string, PropertiesFile>({ ...job, name: 'readProperties' });
const changeFar = aside<Parameters<typeof changeProperties>[0], Uint8Array>({
  ...job,
  name: 'changeProperties',
});

/** `readProperties`, aside when the text is long; up to 5 s. Refuses as `aside` does. */
export const readPropertiesAside = async (text: string): Promise<PropertiesFile> =>
  text.length <= quick_bytes ? readProperties(text) : await readFar(text);

/** `changeProperties`, aside when the file is long; up to 5 s. Refuses as `aside` does. */
export const changePropertiesAside = async (
  change: Parameters<typeof changeProperties>[0],
): Promise<Uint8Array> =>
  change.bytes.length <= quick_bytes ? changeProperties(change) : await changeFar(change);
