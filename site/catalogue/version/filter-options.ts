import type { Messages } from '#content/messages.ts';
import type { GameVersion } from '#db/catalogue/tags/read.ts';
import { sortLoaders } from '#db/catalogue/tags/rules.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { tagName } from '../../platform/text/format.ts';
import type { fields } from './filters.ts';

interface Choice {
  title: string;
  /** Only values that some version has: game versions newest first, loaders by use, channels by stability. */
  values: string[];
  name(value: string): string;
}

/** The filter values for the versions of a project, with labels. */
export function filterOptions(
  messages: Messages,
  versions: readonly Version[],
  gameVersions: readonly GameVersion[],
): Record<keyof typeof fields, Choice> {
  const { t } = messages;
  const used = new Set(versions.flatMap(({ game_versions }) => game_versions));
  const channels = new Map([
    ['release', t('version.release')],
    ['beta', t('version.beta')],
    ['alpha', t('version.alpha')],
  ]);
  return {
    game_versions: {
      title: t('version.game_version'),
      values: gameVersions.map(({ version }) => version).filter((version) => used.has(version)),
      name: (value) => value,
    },
    loaders: {
      title: t('version.loader'),
      values: sortLoaders(versions.flatMap(({ loaders }) => loaders)),
      name: (value) => tagName(messages, value),
    },
    channels: {
      title: t('version.channel'),
      values: [...channels.keys()],
      name: (value) => channels.get(value) ?? value,
    },
  };
}
