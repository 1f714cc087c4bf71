import type { CSSProperties } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { ProjectIcon } from '../ui/ProjectIcon.tsx';
import type { HitView, Labels } from './view.ts';

/** The projects of a search. Projects that stay keep their elements, so that their images do not flicker. */
export const Hits = ({ hits, labels }: { hits: HitView[]; labels: Labels }) => (
  <ul className="list hits">
    {hits.map((hit) => (
      <HitRow key={hit.id} hit={hit} labels={labels} />
    ))}
  </ul>
);

/**
 * One project: a row, a grid cell or a gallery tile, depending on the list. All of it links to the project, with the
 * author's link above.
 */
function HitRow({ hit, labels }: { hit: HitView; labels: Labels }) {
  const tint = hit.tint ? ({ '--tint': hit.tint } as CSSProperties) : undefined;
  return (
    <li data-id={hit.id}>
      {hit.picture ? (
        <img
          className="shot"
          src={hit.picture}
          alt=""
          width="640"
          height="360"
          loading={hit.eager ? 'eager' : 'lazy'}
          decoding="async"
          style={tint}
        />
      ) : (
        <span className="shot none" style={tint} />
      )}
      <ProjectIcon url={hit.icon} />
      <div className="what">
        <h3 className="name">
          <a href={hit.href}>
            <bdi>{hit.title}</bdi>
          </a>{' '}
          <span className="by">
            {labels['search.by']}{' '}
            <a href={hit.author.href}>
              <bdi>{hit.author.text}</bdi>
            </a>
          </span>
        </h3>
        <p dir="auto">{hit.description}</p>
        <div className="tags">
          {hit.tags.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </div>
      </div>
      <div className="stats">
        <span>
          <span className="hide">{labels['search.downloads']}</span> {hit.downloads}
        </span>
        <Icon name="download" />
        <span>
          <span className="hide">{labels['search.follows']}</span> {hit.follows}
        </span>
        <Icon name="heart" />
        <time dateTime={hit.when.at} title={hit.when.exact}>
          {hit.when.relative}
        </time>
        <Icon name="history" />
      </div>
    </li>
  );
}
