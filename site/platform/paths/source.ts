import type { Settings } from '#db/platform/runtime/env.ts';

/** Where the source code of this installation is: where its operator publishes it, else the archive of its build. */
export const sourcePath = ({ SOURCE_URL }: Pick<Settings, 'SOURCE_URL'>): string =>
  SOURCE_URL ?? '/source.tgz';
