import { useId } from 'react';

interface Props {
  label: string;
  value: string;
  change(value: string): void;
  hint?: string;
  problem?: string;
  type?: 'text' | 'url';
  limit?: number;
  /** Whether it is the first thing to fill in of its dialog. */
  first?: boolean;
}

/** A field of a dialog. */
export function TextField({
  label,
  value,
  change,
  hint,
  problem,
  type = 'text',
  limit = 255,
  first = false,
}: Props) {
  const id = useId();
  return (
    <label className="field">
      <span className="label">{label}</span>
      <input
        data-first={first || undefined}
        className="in"
        type={type}
        // addresses and names of files are written from left to right, names as their letters say
        dir={type === 'url' ? 'ltr' : value === '' ? undefined : 'auto'}
        value={value}
        maxLength={limit}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => change(target.value)}
      />
      <span id={`${id}-hint`} className={problem ? 'hint bad' : 'hint'} role={problem ? 'alert' : undefined}>
        {problem || hint}
      </span>
    </label>
  );
}
