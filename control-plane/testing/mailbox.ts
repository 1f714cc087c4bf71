import type { AddressInfo } from 'node:net';
import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A mail server on loopback that keeps what it takes, or answers as told. */
export class Mailbox {
  readonly mails: ParsedMail[] = [];
  /** What it says to a recipient or a message; nothing lets it pass. */
  onRecipient: (address: string) => string | null = () => null;
  onMessage: () => string | null = () => null;
  readonly #server: SMTPServer;
  signedIn: string[] = [];

  constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        this.signedIn.push(`${username}:${password}`);
        done(null, { user: username });
      },
      onRcptTo: ({ address }, _session, done) => done(refusal(this.onRecipient(address))),
      onData: (stream, _session, done) => {
        simpleParser(stream).then((mail) => {
          const reply = refusal(this.onMessage());
          if (!reply) this.mails.push(mail);
          done(reply);
        }, done);
      },
    });
  }
  async open(): Promise<number> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return (this.#server.server.address() as AddressInfo).port;
  }
  close = () => new Promise<void>((done) => this.#server.close(done));
}

const refusal = (text: string | null) =>
  text === null ? null : Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) });

/** The recipients of a mail. */
export const toOf = ({ to }: ParsedMail) => (to as AddressObject).value.map(({ address }) => address);

/** The token by which the recipient of a mail leaves its list with one click. */
export function leavingToken({ headerLines }: ParsedMail): string | undefined {
  const head = headerLines.map(({ line }) => line.replace(/\r?\n\s+/g, '')).join('\n');
  return /^List-Unsubscribe:\s*<[^>]*\/_internal\/mail\/unsubscribe\?token=([\w.-]+)>$/im.exec(head)?.[1];
}
