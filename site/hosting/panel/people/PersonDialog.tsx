import { useId, useRef, useState } from 'react';
import type { ServerPerson } from '#db/hosting/servers/people/view.ts';
import {
  type MemberRole,
  memberRoles,
  roleRights,
  type ServerRight,
} from '#db/hosting/servers/rights/rules.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { change, invite } from './people.store.ts';
import { RightsTable } from './RightsTable.tsx';

/** Refusals that are about the name. */
const about_name = /^(user_unknown|server_person_)/;

interface PersonDialogProps {
  /** Whose rights are changed; without one somebody is invited. */
  person?: ServerPerson | undefined;
  /** Rights that the user may give. */
  own: readonly ServerRight[];
  whyNot: string | null;
  done(): void;
}

/** Invites a person, or changes what one may do: a role, and each right. */
export function PersonDialog({ person, own, whyNot, done }: PersonDialogProps) {
  const { t } = useMessages();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const ofRole = (role: MemberRole) => roleRights[role].filter((right) => own.includes(right));
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<MemberRole>(person?.role ?? 'editor');
  const [rights, setRights] = useState<readonly ServerRight[]>(person?.rights ?? ofRole('editor'));
  const [wrong, setWrong] = useState<string | null>(null);
  const [problem, setProblem] = useState<readonly [string, string] | null>(null);
  const failed = t(person ? 'server_access.change_failed' : 'server_access.invite_failed');
  const onRefused = ({ code, description }: ApiError) => {
    if (!person && about_name.test(code)) {
      setWrong(description);
      input.current?.focus();
    } else setProblem([failed, description]);
    return true;
  };
  const submit = async () => {
    setProblem(null);
    const given = { role, rights: [...rights] };
    if (person) return await change({ ...given, user_id: person.user_id }, onRefused);
    if (username.trim() === '') {
      setWrong(t('server_access.username_missing'));
      input.current?.focus();
      return false;
    }
    return await invite({ ...given, username: username.trim() }, onRefused);
  };
  const title = person
    ? t('server_access.change_title', { person: `\u2068${person.username}\u2069` })
    : t('server_access.invite_title');
  return (
    <FormDialog
      title={title}
      action={t(person ? 'server_access.save' : 'server_access.invite')}
      {...{ whyNot, problem, submit, done }}
    >
      {!person && (
        <div className="field">
          <label htmlFor={`${id}-name`}>{t('server_access.username')}</label>
          <input
            ref={input}
            className="in"
            id={`${id}-name`}
            dir="auto"
            value={username}
            maxLength={60}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            data-first
            aria-invalid={wrong ? true : undefined}
            aria-describedby={`${id}-wrong`}
            onChange={({ target }) => {
              setUsername(target.value);
              setWrong(null);
            }}
          />
          <span className="hint bad" id={`${id}-wrong`} aria-live="polite">
            {wrong}
          </span>
        </div>
      )}
      <div className="field">
        <label htmlFor={`${id}-role`}>{t('server_access.role')}</label>
        <select
          className="in"
          id={`${id}-role`}
          value={role}
          data-first={person ? true : undefined}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            const chosen = target.value as MemberRole;
            setRole(chosen);
            // what somebody has and the user cannot give stays
            const kept = rights.filter((right) => !own.includes(right));
            setRights([...kept, ...ofRole(chosen)]);
          }}
        >
          {memberRoles.map((one) => (
            <option key={one} value={one}>
              {`${t(`server_access.role_${one}`)} – ${t(`server_access.role_${one}_text`)}`}
            </option>
          ))}
        </select>
        <span className="hint" id={`${id}-hint`}>
          {t('server_access.rights_hint')}
        </span>
      </div>
      <RightsTable chosen={rights} own={own} choose={setRights} />
    </FormDialog>
  );
}
