import { useStore } from '@nanostores/react';
import { memo } from 'react';
import type { ContentItem } from '#db/hosting/servers/content/view.ts';
import { readableName } from '#db/platform/files/raw-names/rules.ts';
import { sizeText } from '../../../platform/text/bytes.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { ProjectIcon } from '../../../platform/ui/ProjectIcon.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { FileIcon } from '../files/FileIcon.tsx';
import { Action } from './Action.tsx';
import { toggle } from './actions.ts';
import { $dialog, $waiting } from './content.store.ts';
import { titleOf } from './listing.ts';

interface RowProps {
  item: ContentItem;
  /** Why nothing can be changed now. */
  whyNot: string | null;
  isChosen: boolean;
  choose(path: string, isChosen: boolean): void;
  remove(): void;
}

/** The browser announces whether it is checked. */
const isSwitch = { role: 'switch' } as const;

/** One file of content: what it is, whether it is loaded, what can be done with it. */
export const ContentRow = memo(Row, (before, now) =>
  (['item', 'whyNot', 'isChosen'] as const).every((name) => before[name] === now[name]),
);

function Row({ item, whyNot, isChosen, choose, remove }: RowProps) {
  const labels = useMessages();
  const { t } = labels;
  const { path, file_name, enabled, project, update, type } = item;
  // a name of a control is read out, so it needs no direction
  const name = titleOf(item);
  const isBusy = useStore($waiting).includes(`toggle ${path}`);
  return (
    <li data-off={!enabled || undefined}>
      <label className="check box">
        <input
          type="checkbox"
          aria-label={t('server_content.select', { name })}
          checked={isChosen}
          onChange={({ target }) => choose(path, target.checked)}
        />
      </label>
      {project ? (
        <ProjectIcon url={project.icon_url} size={40} />
      ) : (
        <span className="pic none">
          <FileIcon kind="archive" />
        </span>
      )}
      <div className="about">
        <div className="row wrap">
          <h3 className="name">
            {project ? (
              <a href={labels.link(`/${type}/${encodeURIComponent(project.slug)}`)}>
                <bdi>{project.title}</bdi>
              </a>
            ) : (
              <bdi>{readableName(file_name)}</bdi>
            )}
          </h3>
          <Marks item={item} />
        </div>
        <div className="tags">
          {project && <bdi className="file">{readableName(file_name)}</bdi>}
          <span className="num">{sizeText(labels, item.bytes)}</span>
        </div>
      </div>
      <Version item={item} whyNot={whyNot} />
      <label className="check on" data-tip={whyNot ?? undefined}>
        <input
          className="toggle calm"
          type="checkbox"
          {...isSwitch}
          aria-label={t('server_content.enable', { name })}
          aria-busy={isBusy}
          checked={enabled}
          disabled={whyNot !== null || isBusy}
          onChange={() => void toggle([path], !enabled)}
        />
      </label>
      <div className="acts">
        {update && (
          <Action
            label={t('server_content.update_of', { name, version: update.version_number })}
            className="btn quiet s icon"
            whyNot={whyNot}
            act={() => $dialog.set({ kind: 'update', paths: [path] })}
          >
            <Icon name="up" />
          </Action>
        )}
        <Action
          label={t('server_content.remove_of', { name })}
          className="btn quiet s icon"
          whyNot={whyNot}
          act={remove}
        >
          <Icon name="remove" />
        </Action>
      </div>
    </li>
  );
}

/** What is special about it. Unknown files have no version, so that is said first. */
function Marks({ item: { project, enabled, from_pack, problem, update } }: { item: ContentItem }) {
  const { t } = useMessages();
  return (
    <>
      {problem && (
        <span className="badge bad">
          <Icon name="warn" />
          {t(`server_content.problem_${problem}`)}
        </span>
      )}
      {!project && <span className="badge">{t('server_content.unknown')}</span>}
      {!enabled && <span className="badge">{t('server_content.disabled')}</span>}
      {from_pack && <span className="badge">{t('server_content.from_pack')}</span>}
      {update && (
        <span className="badge note">
          {t('server_content.update_to', { version: `\u2068${update.version_number}\u2069` })}
        </span>
      )}
    </>
  );
}

/** Its version, a button that offers the others. */
function Version({ item: { path, version, project }, whyNot }: Pick<RowProps, 'item' | 'whyNot'>) {
  const { t } = useMessages();
  if (!project || !version) return <span className="ver" />;
  return (
    <span className="ver">
      <Action className="btn quiet s" whyNot={whyNot} act={() => $dialog.set({ kind: 'versions', path })}>
        <span className="hide">{t('server_content.change_version')}</span>{' '}
        <bdi className="clip">{version.version_number}</bdi>
        <Icon name="next" />
      </Action>
    </span>
  );
}
