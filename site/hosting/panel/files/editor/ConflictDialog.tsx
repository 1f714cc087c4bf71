import { useEffect, useState } from 'react';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { type DiffLine, lineDiff, shortened } from '../line-diff.ts';
import { shownNameOf } from '../paths.ts';
import { type LoadedText, loadText } from './text-file.ts';

interface Props {
  path: string;
  mine: string;
  /** Saves what is written here over the version with this etag. */
  overwrite(etag: string): void;
  reload(): void;
  saveAs(): void;
  done(): void;
}

const around = 3;
/** Lines that are shown: every one of them is in the page. */
const max_lines = 2_000;

/** Somebody else saved the file meanwhile: both versions, and what becomes of them. */
export function ConflictDialog({ path, mine, overwrite, reload, saveAs, done }: Props) {
  const { t } = useMessages();
  const [theirs, setTheirs] = useState<LoadedText | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    void loadText(path).then((result) => {
      if (result.ok) setTheirs(result.data);
      else if (result.problem.code === 'missing')
        setTheirs({ text: '', etag: '', form: { has_mark: false, line_end: '\n' } });
      else setProblem(result.problem.text || t('servers.line_lost'));
    });
  }, [path, t]);
  const act = (what: () => void) => () => {
    done();
    what();
  };
  return (
    <FormDialog
      wide
      title={t('server_files.changed_by_other', { name: shownNameOf(path) })}
      done={done}
      more={
        <>
          <button className="btn" type="button" onClick={act(saveAs)}>
            {t('server_files.save_as')}
          </button>
          <button
            className="btn"
            type="button"
            aria-disabled={!theirs}
            onClick={() => theirs && act(reload)()}
          >
            {t('server_files.take_theirs')}
          </button>
          <button
            className="btn danger"
            type="button"
            aria-disabled={!theirs}
            onClick={() => theirs && act(() => overwrite(theirs.etag))()}
          >
            {t('server_files.keep_mine')}
          </button>
        </>
      }
    >
      <p className="dim">{t('server_files.changed_text')}</p>
      {problem && <p className="err">{problem}</p>}
      {theirs && <Diff theirs={theirs.text} mine={mine} />}
    </FormDialog>
  );
}

function Diff({ theirs, mine }: { theirs: string; mine: string }) {
  const { t } = useMessages();
  const [lines] = useState(() => shortened(lineDiff(theirs, mine), around).slice(0, max_lines));
  if (lines.every((line) => line === null)) return <p className="meta">{t('server_files.same_text')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <ol className="diff" tabIndex={0} aria-label={t('server_files.differences')} dir="ltr" translate="no">
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a comparison that does not change
        <li key={i} className={line?.kind ?? 'gap'}>
          {line ? <Line line={line} /> : '…'}
        </li>
      ))}
    </ol>
  );
}

function Line({ line: { kind, text } }: { line: DiffLine }) {
  const { t } = useMessages();
  return (
    <>
      <b>{kind === 'same' ? '' : t(kind === 'mine' ? 'server_files.yours' : 'server_files.theirs')}</b>
      <code>{text}</code>
    </>
  );
}
