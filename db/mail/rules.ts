/**
 * What each mail needs to be written, by template. `link` is a path of this site; a path that holds a secret appears in no
 * list and no log. Templates are in `content/mails`. Source: api-behaviours §9.
 */
export interface MailData {
  verify_email: { username: string; link: string };
  /** To the old address. */
  email_changed: { username: string; new_email: string };
  reset_password: { username: string; link: string };
  password_changed: { username: string };
  password_removed: { username: string };
  two_factor_enabled: { username: string };
  two_factor_removed: { username: string };
  passkey_added: { username: string; name: string };
  passkey_removed: { username: string; name: string };
  auth_provider_added: { username: string; provider: string };
  auth_provider_removed: { username: string; provider: string };
  /** `device` and `place` are null where unknown; `at` is RFC 3339. */
  new_sign_in: {
    username: string;
    device: string | null;
    ip: string | null;
    place: string | null;
    at: string;
  };
  pat_created: { username: string; token_name: string };
  newsletter_confirm: { link: string };
}
export type MailTemplate = keyof MailData;
