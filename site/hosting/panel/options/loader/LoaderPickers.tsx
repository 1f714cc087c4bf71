import { useId, useState } from 'react';
import { serverLoader } from '#db/hosting/server-kinds/data/loaders.ts';
import type { LoaderSpec } from '#db/hosting/servers/content/change-work.ts';
import {
  hasLoaderVersions,
  loaderVersionsFor,
  storedLoader,
} from '#db/hosting/servers/content/loader-rules.ts';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { loaderName } from '../../../shared/loader-name.ts';
import type { Result } from '../../../shared/request.ts';

interface Props {
  known: Result<'loader.show'>;
  to: LoaderSpec;
  choose(to: LoaderSpec): void;
}

/** Stands for a version that is typed. */
const own = ' own';

/** Game version, loader and its version; each offers what fits the choice before it. */
export function LoaderPickers({ known, to, choose }: Props) {
  const labels = useMessages();
  const { t } = labels;
  const id = useId();
  const [isOwn, setOwn] = useState(false);
  const { offers, loader_versions } = known;
  const loaders = offers.find(({ game_version }) => game_version === to.game_version)?.loaders ?? [];
  const versions = loaderVersionsFor(loader_versions, to);
  const isNamed = to.loader_version !== null && versions.includes(to.loader_version);
  const isTyped = isOwn || (to.loader_version !== null && !isNamed);
  const chooseGame = (game_version: string) => {
    const fits = offers
      .find((one) => one.game_version === game_version)
      ?.loaders.includes(to.loader ?? 'vanilla');
    setOwn(false);
    choose({ game_version, loader: fits ? to.loader : null, loader_version: null });
  };
  const chooseVersion = (value: string) => {
    setOwn(value === own);
    choose({ ...to, loader_version: value === own || value === '' ? null : value });
  };
  return (
    <div className="picks">
      <div className="field">
        <label htmlFor={`${id}-game`}>{t('loader.game_version')}</label>
        <select
          className="in"
          id={`${id}-game`}
          value={to.game_version}
          onChange={(event) => chooseGame(event.target.value)}
        >
          {offers.map(({ game_version }) => (
            <option key={game_version}>{game_version}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-loader`}>{t('loader.loader')}</label>
        <select
          className="in"
          id={`${id}-loader`}
          value={to.loader ?? 'vanilla'}
          onChange={(event) => {
            setOwn(false);
            choose({ ...to, loader: storedLoader(event.target.value), loader_version: null });
          }}
        >
          {loaders.map((loader) => (
            <option key={loader} value={loader}>
              {loaderName(labels, loader)}
            </option>
          ))}
        </select>
      </div>
      {hasLoaderVersions(to.loader) && (
        <div className="field">
          <label htmlFor={`${id}-version`}>{t('loader.loader_version')}</label>
          <select
            className="in"
            id={`${id}-version`}
            value={isTyped ? own : (to.loader_version ?? '')}
            onChange={(event) => chooseVersion(event.target.value)}
          >
            <option value="">{t('loader.newest')}</option>
            {versions.map((version) => (
              <option key={version}>{version}</option>
            ))}
            <option value={own}>{t('loader.own_version')}</option>
          </select>
        </div>
      )}
      {hasLoaderVersions(to.loader) && isTyped && (
        <div className="field">
          <label htmlFor={`${id}-own`}>{t('loader.own_version_label')}</label>
          <input
            className="in"
            id={`${id}-own`}
            dir="ltr"
            autoComplete="off"
            maxLength={60}
            value={to.loader_version ?? ''}
            aria-describedby={`${id}-hint`}
            onChange={(event) => choose({ ...to, loader_version: event.target.value.trim() || null })}
          />
          <span className="hint" id={`${id}-hint`}>
            {t('loader.own_version_hint', { example: serverLoader(to.loader)?.example ?? '' })}
          </span>
        </div>
      )}
    </div>
  );
}
