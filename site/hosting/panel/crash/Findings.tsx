import { useEffect, useState } from 'react';
import type { Finding } from '#db/hosting/servers/crashes/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { Alert } from '../../shared/Alert.tsx';
import { requestFromPanel } from '../core/open-panel.ts';
import { $connection } from '../core/panel.store.ts';
import { loadProblem } from '../core/resource.ts';
import { helpOf } from './links.ts';

interface FindingsProps {
  server_id: string;
  /** Of one log; without it what there is of the last crash. */
  path?: string;
  /** Changes with what is read anew. */
  of?: string | null;
}

/** What may be wrong with a server by its logs, and what to do about it. */
export function Findings({ server_id, path, of = null }: FindingsProps) {
  const { t } = useMessages();
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another crash has other logs
  useEffect(
    () =>
      $connection.subscribe(async (state) => {
        if (state !== 'open') return;
        const result = await requestFromPanel('crash.analyse', path === undefined ? {} : { path });
        setProblem(result.ok ? null : loadProblem(result.error));
        if (result.ok) setFindings(result.data.findings);
      }),
    [path, of],
  );
  return (
    <div className="findings" aria-live="polite">
      {problem && (
        <Alert tone="warn" title={t('crash_help.failed')}>
          {problem.description}
        </Alert>
      )}
      {!findings && !problem && <p className="dim">{t('crash_help.looking')}</p>}
      {findings?.length === 0 && (
        <p className="dim">
          <b>{t('crash_help.nothing')}</b> {t('crash_help.nothing_text')}
        </p>
      )}
      {findings && findings.length > 0 && (
        <ol className="fix">
          {findings.map((finding) => (
            <Cause key={`${finding.cause} ${finding.what}`} {...{ server_id, finding }} />
          ))}
        </ol>
      )}
      <p className="meta">{t('crash_help.here_only')}</p>
    </div>
  );
}

function Cause({ server_id, finding }: { server_id: string; finding: Finding }) {
  const { t, link, number } = useMessages();
  const { cause, what, path, line, excerpt } = finding;
  const help = helpOf(link, server_id, finding);
  const at = { line: number(line), path: `\u2066${path ?? ''}\u2069` };
  return (
    <li>
      <div>
        <b>
          {t(`crash_help.cause_${cause}`)}
          {what !== '' && (
            <>
              {' '}
              <code dir="ltr" translate="no">
                {what}
              </code>
            </>
          )}
        </b>
        <span className="meta">{t(`crash_help.do_${cause}`)}</span>
        <details>
          <summary className="meta">
            {path === null ? t('crash_help.from_console', at) : t('crash_help.from_line', at)}
          </summary>
          <code dir="ltr" translate="no" className="excerpt">
            {excerpt}
          </code>
        </details>
      </div>
      {help && (
        <a className="btn" href={help.href}>
          {t(help.text, { what: `\u2068${what}\u2069` })}
        </a>
      )}
    </li>
  );
}
