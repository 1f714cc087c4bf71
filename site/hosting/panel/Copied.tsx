import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Icon } from '../shared/Icon.tsx';

interface CopiedProps {
  name: string;
  value: string;
  hint?: string;
  /** It is copied, but not shown. */
  covered?: boolean;
}

/** A value that programs ask for, and the button that copies it: in a `dl` of the class `copies`. */
export function Copied({ name, value, hint, covered = false }: CopiedProps) {
  const { t } = useMessages();
  const label = t('servers.copy_value', { what: name });
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code dir="ltr">{covered ? covered_text : value}</code>
        <button
          className="btn quiet s icon"
          type="button"
          aria-label={label}
          data-tip={label}
          data-copy={value}
          data-copied={t('servers.copied')}
        >
          <Icon name="copy" />
        </button>
        {hint && <span className="hint">{hint}</span>}
      </dd>
    </div>
  );
}

/** In place of an address that is not to be seen. */
export const covered_text = '•••••';
