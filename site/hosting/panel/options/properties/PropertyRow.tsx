import { useId } from 'react';
import type { MessageKey } from '#content/keys.ts';
import { type PropertyType, propertyDefinitions } from '#db/hosting/servers/properties/data/definitions.ts';
import type { PropertyProblem } from '#db/hosting/servers/properties/rules.ts';
import type { PropertyView } from '#db/hosting/servers/properties/view.ts';
import { type PageMessages, useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { setDraft, undoDraft } from './properties.store.ts';

const anyText: PropertyType = { type: 'text', length: 4_000 };

/** What a key does; nothing for keys that are not known. */
export const aboutText = ({ t }: Pick<PageMessages, 't'>, key: string): string =>
  Object.hasOwn(propertyDefinitions, key)
    ? t(`server_options.about_${key.replaceAll('-', '_')}` as MessageKey)
    : '';

/** What people call a key; the key itself where it is not known. */
export const nameText = ({ t }: Pick<PageMessages, 't'>, key: string): string =>
  Object.hasOwn(propertyDefinitions, key)
    ? t(`server_options.name_${key.replaceAll('-', '_')}` as MessageKey)
    : key;

/** What people call a value of a key that has choices; the value itself where it is none of them. */
function valueText({ t }: Pick<PageMessages, 't'>, is: PropertyType, value: string): string {
  if (is.type === 'boolean' && /^(true|false)$/.test(value))
    return t(value === 'true' ? 'server_options.on' : 'server_options.off');
  return is.type === 'choice' && is.choices.includes(value)
    ? t(`server_options.value_${value}` as MessageKey)
    : value;
}

interface PropertyRowProps {
  property: PropertyView;
  /** What was typed; undefined when nothing was. */
  draft: string | undefined;
  problem: PropertyProblem | null;
  isLocked: boolean;
}

/** One key: its name, what it does, its value, and what is wrong with it. */
export function PropertyRow({ property, draft, problem, isLocked }: PropertyRowProps) {
  const labels = useMessages();
  const { t, number } = labels;
  const id = useId();
  const { key, value, default: usual, repeated } = property;
  const is = Object.hasOwn(propertyDefinitions, key) ? propertyDefinitions[key]!.is : anyText;
  const shown = draft ?? value ?? usual ?? '';
  const range = is.type === 'integer' ? { min: number(is.min), max: number(is.max) } : { min: '', max: '' };
  return (
    <li className={draft === undefined ? 'prop' : 'prop on'}>
      <div>
        <label htmlFor={id}>{nameText(labels, key)}</label> <code dir="ltr">{key}</code>
        <p className="hint" id={`${id}-about`}>
          {aboutText(labels, key)}
        </p>
      </div>
      <div className="field">
        <Value
          {...{ id, is, isLocked }}
          value={shown}
          isWrong={problem !== null}
          set={(typed) => setDraft(property, typed)}
        />
        <div id={`${id}-notes`} aria-live="polite">
          {problem && (
            <p className="hint bad">{t(`server_options.problem_${problem}` as MessageKey, range)}</p>
          )}
          {is.type === 'fixed' && <p className="hint">{t('server_options.fixed')}</p>}
          {repeated && <p className="hint warn">{t('server_options.repeated')}</p>}
          {is.type !== 'fixed' && usual !== null && shown !== usual && (
            <p className="hint">
              {usual === ''
                ? t('server_options.default_empty')
                : t('server_options.default_is', { value: `\u2068${valueText(labels, is, usual)}\u2069` })}
            </p>
          )}
        </div>
      </div>
      <div className="act">
        {draft !== undefined && (
          <button
            className="btn quiet s"
            type="button"
            aria-label={`${t('server_options.undo')}: ${nameText(labels, key)}`}
            onClick={() => undoDraft(key)}
          >
            {t('server_options.undo')}
          </button>
        )}
        {draft === undefined && is.type === 'fixed' && problem && (
          <button className="btn s" type="button" onClick={() => setDraft(property, is.value)}>
            {t('server_options.set_right', { value: is.value || t('server_options.empty') })}
          </button>
        )}
      </div>
    </li>
  );
}

interface ValueProps {
  id: string;
  is: PropertyType;
  value: string;
  isWrong: boolean;
  isLocked: boolean;
  set(value: string): void;
}

/** The control that suits the type; a value that does not fit its type can always be seen. */
function Value({ id, is, value, isWrong, isLocked, set }: ValueProps) {
  const { t } = useMessages();
  const common = {
    ...{ id, className: 'in', value, disabled: isLocked },
    'aria-invalid': isWrong ? true : undefined,
    'aria-describedby': `${id}-about ${id}-notes`,
  };
  if (is.type === 'boolean' || is.type === 'choice') {
    const choices = is.type === 'boolean' ? ['true', 'false'] : is.choices;
    return (
      <select {...common} onChange={({ target }) => set(target.value)}>
        {!choices.includes(value) && <option value={value}>{value}</option>}
        {choices.map((one) => (
          <option key={one} value={one}>
            {valueText({ t }, is, one)}
          </option>
        ))}
      </select>
    );
  }
  if (is.type === 'fixed') return <input {...common} dir="ltr" readOnly />;
  if (is.type === 'integer')
    return (
      <input {...common} dir="ltr" inputMode="numeric" onChange={({ target }) => set(target.value.trim())} />
    );
  if (value.includes('\n') || value.length > 60)
    return <textarea {...common} dir="auto" rows={3} onChange={({ target }) => set(target.value)} />;
  return (
    <input
      {...common}
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => set(target.value)}
    />
  );
}
