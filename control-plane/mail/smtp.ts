import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isLoopback } from '#db/platform/runtime/env.ts';

/** How long a mail server may be silent, and how long a whole step may take, in milliseconds. */
export interface SmtpTimeouts {
  silence_ms: number;
  step_ms: number;
}

const patient: SmtpTimeouts = { silence_ms: 15_000, step_ms: 30_000 };

/** A connection to the mail server that sends one mail after another. */
export interface SmtpSession {
  /** Rejects with what `verdictOf` judges. */
  send(envelope: { from: string; to: string }, message: Buffer): Promise<void>;
  close(): void;
}

/**
 * Connects and signs in to the server of SMTP_URL. Encrypted, by a certificate that is valid for its name; only on this
 * machine it may be plain. A server that hangs, or answers a byte at a time, is given up.
 */
export async function openSmtp(smtp_url: string, timeouts: SmtpTimeouts = patient): Promise<SmtpSession> {
  const { protocol, hostname, port, username, password } = new URL(smtp_url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const is_local = isLoopback(host);
  const connection = new SMTPConnection({
    host,
    ...(port && { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS: !is_local,
    ignoreTLS: is_local,
    connectionTimeout: timeouts.silence_ms,
    greetingTimeout: timeouts.silence_ms,
    socketTimeout: timeouts.silence_ms,
    dnsTimeout: timeouts.silence_ms,
    socketCloseTimeout: 0,
  });
  // one listener for the whole life: an error between two steps must not end the process
  let fail: (error: Error) => void = () => {};
  connection.on('error', (error) => fail(error));
  const step = <T>(begin: (done: (error?: Error | null, result?: T) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const late = () =>
        reject(Object.assign(new Error('The mail server is too slow'), { code: 'ETIMEDOUT' }));
      const timer = setTimeout(late, timeouts.step_ms);
      const end = (error?: Error | null) => {
        clearTimeout(timer);
        error ? reject(error) : resolve();
      };
      fail = end;
      begin(end);
    });
  try {
    await step((done) => connection.connect(done));
    if (username !== '') {
      const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
      await step((done) => connection.login({ credentials }, done));
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    send: (envelope, message) =>
      step((done) => connection.send({ from: envelope.from, to: [envelope.to] }, message, done)),
    close: () => connection.close(),
  };
}
