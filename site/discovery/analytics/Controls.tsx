import chevron from 'lucide-static/icons/chevron-down.svg?raw';
import fileDown from 'lucide-static/icons/file-down.svg?raw';
import refresh from 'lucide-static/icons/refresh-cw.svg?raw';
import { Fragment } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Drawing } from '../../platform/ui/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../platform/ui/Menu.tsx';
import type { Choice } from './choice.ts';
import type { ExportKind } from './exports.ts';
import { type RangeName, rangeNames } from './ranges.ts';

interface ControlsProps {
  choice: Choice;
  change(changed: Partial<Choice>): void;
  isLoading: boolean;
  reload(): void;
  /** Null while there is nothing to save. */
  save: ((kind: ExportKind) => void) | null;
}
const exportKinds: readonly ExportKind[] = ['csv_times', 'csv_breakdown', 'json'];
/** A line in the menu stands before these. */
const groups = new Set<RangeName>(['today', 'this-week', 'this-month', 'this-quarter', 'this-year', 'all']);

/** The period, comparing, refreshing and saving. */
export function Controls({ choice, change, isLoading, reload, save }: ControlsProps) {
  const { t } = useMessages();
  return (
    <div className="controls">
      <div className="ranges pop-start">
        <Menu
          look="btn"
          button={
            <>
              <span className="hide">{t('analytics.range')}: </span>
              {t(`analytics.range_${choice.range}`)} <Drawing svg={chevron} />
            </>
          }
        >
          {rangeNames.map((name) => (
            <Fragment key={name}>
              {groups.has(name) && <MenuLine />}
              <li>
                <button
                  type="button"
                  aria-current={name === choice.range || undefined}
                  onClick={() => change({ range: name })}
                >
                  {t(`analytics.range_${name}`)}
                </button>
              </li>
            </Fragment>
          ))}
        </Menu>
      </div>
      {choice.range !== 'all' && (
        <label className="compare">
          <input
            className="toggle"
            type="checkbox"
            role="switch"
            checked={choice.compare}
            aria-checked={choice.compare}
            onChange={() => change({ compare: !choice.compare })}
          />
          {t('analytics.compare')}
        </label>
      )}
      <div className="ends">
        <button
          className="btn icon"
          type="button"
          aria-label={t('analytics.refresh')}
          data-tip={t('analytics.refresh')}
          aria-disabled={isLoading}
          onClick={() => !isLoading && reload()}
        >
          <Drawing svg={refresh} />
        </button>
        <Menu
          look="btn"
          button={
            <>
              <Drawing svg={fileDown} /> {t('analytics.export')}
            </>
          }
        >
          {exportKinds.map((kind) => (
            <MenuItem
              key={kind}
              icon={null}
              whyNot={save ? null : t('analytics.loading')}
              act={() => save?.(kind)}
            >
              {t(`analytics.file_${kind}`)}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  );
}
