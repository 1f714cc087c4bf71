import { useStore } from '@nanostores/react';
import type { CSSProperties } from 'react';
import { SaveButton } from '../../platform/save-to-collection/SaveButton.tsx';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { ProjectIcon } from '../../platform/ui/ProjectIcon.tsx';
import { srcSetOf, tileSizes } from '../../platform/ui/srcset.ts';
import { $hitAction } from './extensions.store.ts';
import type { HitView } from './view.ts';

/** The projects of a search. Projects that stay keep their elements, so that their images do not flicker. */
export const Hits = ({ hits }: { hits: HitView[] }) => (
  <ul className="list hits">
    {hits.map((hit, position) => (
      <HitRow key={hit.id} hit={hit} first={position === 0} />
    ))}
  </ul>
);

/**
 * One project: a row, a grid cell or a gallery tile, depending on the list. All of it links to the project, with the
 * author's link above. A tile without a picture shows the icon, large and cropped.
 */
function HitRow({ hit, first }: { hit: HitView; first: boolean }) {
  const { t } = useMessages();
  const Action = useStore($hitAction, { ssr: 'initial' });
  const picture = hit.picture ?? hit.icon;
  const tint = hit.tint ? ({ '--tint': hit.tint } as CSSProperties) : undefined;
  return (
    <li data-id={hit.id}>
      {picture ? (
        <img
          className="shot"
          src={picture}
          srcSet={srcSetOf(picture)}
          sizes={tileSizes}
          alt=""
          width="640"
          height="360"
          loading={hit.eager ? 'eager' : 'lazy'}
          fetchPriority={hit.eager && first ? 'high' : undefined}
          decoding="async"
          style={tint}
        />
      ) : (
        <span className="shot none" style={tint} />
      )}
      <ProjectIcon url={hit.icon} size={64} />
      <div className="what">
        <h3 className="name">
          <a href={hit.href}>
            <bdi>{hit.title}</bdi>
          </a>{' '}
          <span className="by">
            {t('results.by')}{' '}
            <a href={hit.author.href}>
              <bdi>{hit.author.text}</bdi>
            </a>
          </span>
        </h3>
        <p dir="auto">{hit.description}</p>
        <div className="tags">
          {hit.categories.map((name) => (
            <span key={name}>{name}</span>
          ))}
          {hit.loaders.length > 0 && (
            <ul className="loaders" aria-label={t('results.loaders')}>
              {hit.loaders.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <div className="stats">
        <span>
          <span className="hide">{t('results.downloads')}</span> {hit.downloads}
        </span>
        <Icon name="download" />
        <span>
          <span className="hide">{t('results.follows')}</span> {hit.follows}
        </span>
        <Icon name="heart" />
        <time dateTime={hit.when.at} title={hit.when.exact}>
          {hit.when.relative}
        </time>
        <Icon name="history" />
      </div>
      {Action && <Action hit={hit} />}
      <SaveButton id={hit.id} label={t('results.save', { name: bidiIsolated(hit.title) })} />
    </li>
  );
}
