import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { DropZone } from './DropZone.tsx';
import { type Draft, separable } from './draft.ts';
import { FileList } from './FileList.tsx';
import { $announced } from './files.store.ts';
import { joinFiles, type PublishState, separateFiles } from './publish.store.ts';

interface FilesPartProps {
  draft: Draft;
  state: PublishState;
  problem: string | undefined;
  isEdit: boolean;
  children: ReactNode;
}

/** The files of a version, and how many versions they become. */
export function FilesPart({ draft, state, problem, isEdit, children }: FilesPartProps) {
  const { t } = useMessages();
  const several = state.drafts.length > 1;
  const canSeparate = !isEdit && (several || separable(draft.files).length > 0);
  return (
    <section aria-labelledby="files-title">
      <h2 id="files-title">{t('publish.files')}</h2>
      {children}
      <DropZone small={draft.files.length > 0 || isEdit} isInvalid={problem !== undefined} />
      {problem && <p className="hint bad">{problem}</p>}
      <FileList files={draft.files} isEdit={isEdit} />
      {canSeparate && (
        <fieldset className="row wrap">
          <legend className="hide">{t('publish.how_many')}</legend>
          {([false, true] as const).map((separate) => (
            <label className="check" key={String(separate)}>
              <input
                type="radio"
                name="how-many"
                checked={several === separate}
                onChange={separate ? separateFiles : joinFiles}
              />
              <span>{t(separate ? 'publish.one_each' : 'publish.all_in_one')}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p className="hide" aria-live="polite">
        <Announced />
      </p>
    </section>
  );
}

const Announced = () => useStore($announced);
