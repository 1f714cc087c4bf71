/** What nodemailer says of an attempt that failed. */
export interface SmtpError {
  message: string;
  code?: string;
  command?: string;
  /** The reply of the server. */
  response?: string | false;
  responseCode?: number;
}

/**
 * What follows from a failed attempt: the recipient's address is refused for good; this mail is refused for good; it is
 * tried again; or the mail server takes nothing from us for now, whoever it is for.
 */
export type Verdict = 'address' | 'mail' | 'again' | 'server';

const enhanced = (response: string): string => /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response)?.[1] ?? '';

/** Judges a failed attempt. Source: RFC 5321 §4.2.1; RFC 3463 §3 (x.1.x and x.2.1: the address). */
export function verdictOf({ code, command, response, responseCode = 0 }: SmtpError): Verdict {
  if (code === 'EENVELOPE' && command === 'API') return 'address'; // no address at all
  const is_about_mail = command === 'RCPT TO' || command === 'DATA';
  if (!is_about_mail) return code === 'ETIMEDOUT' || code === 'ECONNECTION' ? 'again' : 'server';
  if (responseCode < 500) return 'again';
  const status = enhanced(response || '');
  if (/^5\.1\.|^5\.2\.[01]$/.test(status)) return 'address';
  // without a status only the reply to the recipient is about the recipient
  return status === '' && command === 'RCPT TO' ? 'address' : 'mail';
}
