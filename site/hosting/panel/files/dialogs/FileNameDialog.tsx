import { useState } from 'react';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { TextField } from '../../../shared/TextField.tsx';
import { useWhyNotAllowed } from '../why-not.ts';

interface Props {
  title: string;
  action: string;
  hint?: string;
  /** The name that it has already, if any: another one is asked for. */
  known?: string;
  /** Tries the name; true when that was done, else `refuse` was told why not. */
  submit(name: string, refuse: (why: string) => void): Promise<boolean>;
  done(): void;
}

/** Asks for the name of a file or folder; a refused one is said below the field. */
export function FileNameDialog({ title, action, hint, known = '', submit, done }: Props) {
  const { t } = useMessages();
  const whyNot = useWhyNotAllowed();
  const [typed, setTyped] = useState(known);
  const [problem, setProblem] = useState('');
  const name = typed.trim();
  return (
    <FormDialog
      {...{ title, action, whyNot, done }}
      isReady={name !== '' && name !== known}
      submit={() => submit(name, setProblem)}
    >
      <TextField
        first
        label={t('server_files.name')}
        value={typed}
        change={(to) => {
          setTyped(to);
          setProblem('');
        }}
        problem={problem}
        hint={hint}
      />
    </FormDialog>
  );
}
