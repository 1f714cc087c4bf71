import type { ContentPlan } from '#db/hosting/servers/content/view.ts';
import { sizeText } from '../../../../platform/text/bytes.ts';
import { type PageMessages, useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { ProjectIcon } from '../../../../platform/ui/ProjectIcon.tsx';
import { Arrow } from '../Arrow.tsx';

type Added = ContentPlan['add'][number];
type Skipped = ContentPlan['skipped'][number];

/** Loaders or versions of what would fit that are named. */
const max_named = 4;

/** The lines of a plan: what was asked for, what that needs, what is left out with what would fit. */
export function PlanLines({ plan: { add, skipped, bytes } }: { plan: ContentPlan }) {
  const labels = useMessages();
  const { t, count } = labels;
  const asked = add.filter(({ needed_by }) => needed_by === null);
  const needed = add.filter(({ needed_by }) => needed_by !== null);
  return (
    <div className="plan">
      {asked.length > 0 && (
        <ul aria-label={t('server_content.plan_asked')}>
          {asked.map((one) => (
            <AddedLine key={one.path} added={one} />
          ))}
        </ul>
      )}
      {needed.length > 0 && (
        <>
          <h3>{count('server_content.plan_needed', needed.length)}</h3>
          <ul>
            {needed.map((one) => (
              <AddedLine key={one.path} added={one} />
            ))}
          </ul>
        </>
      )}
      {skipped.length > 0 && (
        <>
          <h3>{count('server_content.plan_skipped', skipped.length)}</h3>
          <ul>
            {skipped.map((one, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what is missing has no id
              <SkippedLine key={i} skipped={one} />
            ))}
          </ul>
        </>
      )}
      {add.length > 0 && (
        <p className="meta num">{t('server_content.plan_size', { size: sizeText(labels, bytes) })}</p>
      )}
    </div>
  );
}

function AddedLine({ added: { project, version, from, needed_by } }: { added: Added }) {
  const { t } = useMessages();
  return (
    <li>
      <ProjectIcon url={project.icon_url} size={32} />
      <span>
        <bdi className="name">{project.title}</bdi>
        {needed_by && (
          <span className="meta blk">
            {t('server_content.needed_by', { name: `\u2068${needed_by}\u2069` })}
          </span>
        )}
      </span>
      <span className="step">
        {from && (
          <>
            <bdi>{from.version_number}</bdi> <Arrow />{' '}
            <span className="hide">{t('server_content.becomes')}</span>{' '}
          </>
        )}
        <bdi>{version.version_number}</bdi>
      </span>
    </li>
  );
}

function SkippedLine({ skipped }: { skipped: Skipped }) {
  const labels = useMessages();
  const { t } = labels;
  const { project, problem, needed_by } = skipped;
  const fits = fitsText(labels, skipped);
  return (
    <li className="out">
      <ProjectIcon url={project?.icon_url ?? null} size={32} />
      <span>
        <bdi className="name">{project?.title ?? t('server_content.unknown_project')}</bdi>
        {needed_by && (
          <span className="meta blk">
            {t('server_content.needed_by', { name: `\u2068${needed_by}\u2069` })}
          </span>
        )}
        <span className="blk">
          {t(`server_content.why_${problem}`)} {fits}
        </span>
      </span>
    </li>
  );
}

/** What it would run with: `Made for fabric, quilt with 1.21.4.` */
function fitsText({ t, formatting }: PageMessages, { fits }: Skipped): string {
  if (!fits || (fits.loaders.length === 0 && fits.game_versions.length === 0)) return '';
  const list = new Intl.ListFormat(formatting, { type: 'disjunction' });
  const named = (all: readonly string[]) =>
    list.format(all.slice(0, max_named).map((one) => `\u2068${one}\u2069`));
  return t('server_content.fits', {
    loaders: named(fits.loaders),
    versions: named(fits.game_versions),
  });
}
