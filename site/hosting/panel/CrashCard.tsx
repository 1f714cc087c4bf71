import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from '../shared/Icon.tsx';
import { plainText } from './console/ansi.ts';
import { power } from './core/actions.ts';
import { $connection, $pendingAction } from './core/panel.store.ts';
import { CrashHelp } from './crash/CrashHelp.tsx';
import { whyNot } from './Power.tsx';

type Crash = NonNullable<ServerView['crash']>;

/** The cause of a crash as reported by the node, and suggested actions, the safest first. */
export function CrashCard({ server, crash, read }: { server: ServerView; crash: Crash; read(): void }) {
  const { t, link } = useMessages();
  return (
    <section className="crash panel" aria-labelledby="crash">
      <header>
        <span className="mk bad">
          <Icon name="crash" />
        </span>
        <div>
          <h2 id="crash">{t(crash.out_of_memory ? 'servers.crash_memory' : 'servers.crash_other')}</h2>
          <p className="meta">{t(crash.held ? 'servers.crash_held' : 'servers.crash_off')}</p>
        </div>
      </header>
      <CrashHelp server={server} />
      <div className="cols">
        <div>
          <h3>{t('servers.crash_to_do')}</h3>
          <ol className="fix">
            <Remedy title={t('servers.crash_start')} text={t('servers.crash_start_text')}>
              <Restart server={server} />
            </Remedy>
            <Remedy title={t('servers.crash_read')} text={t('servers.crash_read_text')}>
              <button className="btn" type="button" onClick={read}>
                {t('servers.crash_show')}
              </button>
            </Remedy>
            {crash.out_of_memory && (
              <Remedy title={t('servers.crash_more_memory')} text={t('servers.crash_more_memory_text')}>
                <a className="btn quiet" href={link(`/servers/manage/${server.id}/options/billing`)}>
                  {t('servers.crash_plans')}
                </a>
              </Remedy>
            )}
          </ol>
        </div>
        <ObservedCrash server={server} crash={crash} />
      </div>
    </section>
  );
}

function Remedy({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li>
      <div>
        <b>{title}</b>
        <span className="meta">{text}</span>
      </div>
      {children}
    </li>
  );
}

function Restart({ server }: { server: ServerView }) {
  const labels = useMessages();
  const acting = useStore($pendingAction);
  const why = whyNot(labels, server, 'start', acting, useStore($connection) === 'open');
  return (
    <button
      className="btn primary"
      type="button"
      aria-disabled={why !== null}
      aria-busy={acting === 'start'}
      data-tip={why ?? undefined}
      onClick={() => void power('start')}
    >
      {labels.t('servers.crash_start')}
    </button>
  );
}

/** The cause is in the last lines. */
const toEnd = (excerpt: HTMLElement | null) => excerpt?.scrollTo({ top: excerpt.scrollHeight });

function ObservedCrash({ server, crash }: { server: ServerView; crash: Crash }) {
  const { t, number } = useMessages();
  const lines = crash.last_lines.map(plainText);
  const yesNo = t(crash.out_of_memory ? 'servers.yes' : 'servers.no');
  const code = crash.exit_code === null ? t('servers.crash_no_code') : String(crash.exit_code);
  const report = [
    `server ${server.id}`,
    `exit code ${crash.exit_code ?? '-'}`,
    `out of memory ${crash.out_of_memory}`,
    '',
    ...lines,
  ].join('\n');
  return (
    <div>
      <h3>{t('servers.crash_seen')}</h3>
      <dl className="kv">
        <div>
          <dt>{t('servers.crash_exit_code')}</dt>
          <dd className="mono">{code}</dd>
        </div>
        <div>
          <dt>{t('servers.crash_out_of_memory')}</dt>
          <dd>{yesNo}</dd>
        </div>
        <div>
          <dt>{t('servers.crash_memory_limit')}</dt>
          <dd>{t('servers.memory_size', { number: number(server.ram_mb / 1024) })}</dd>
        </div>
      </dl>
      {lines.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a part that scrolls, not a set of fields
        <div
          ref={toEnd}
          className="last"
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          dir="ltr"
          translate="no"
          aria-label={t('servers.crash_last_lines')}
        >
          <code>{lines.join('\n')}</code>
        </div>
      )}
      <button className="btn quiet s" type="button" data-copy={report} data-copied={t('servers.copied')}>
        <Icon name="copy" />
        {t('servers.crash_copy')}
      </button>
      <p className="meta">{t('servers.crash_kept_here')}</p>
    </div>
  );
}
