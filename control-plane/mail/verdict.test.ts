import { expect, it } from 'vitest';
import { type SmtpError, type Verdict, verdictOf } from './verdict.ts';

const reply = (command: string, response: string): SmtpError => ({
  message: 'x',
  code: command === 'DATA' ? 'EMESSAGE' : 'EENVELOPE',
  ...{ command, response, responseCode: Number(response.slice(0, 3)) },
});

it.each<[string, SmtpError, Verdict]>([
  ['an unknown mailbox', reply('RCPT TO', '550 5.1.1 No such user'), 'address'],
  ['an unknown mailbox without a status', reply('RCPT TO', '550 No such user'), 'address'],
  ['a disabled mailbox', reply('RCPT TO', '550 5.2.1 Disabled'), 'address'],
  ['an unknown mailbox, said late', reply('DATA', '550 5.1.1 No such user'), 'address'],
  ['something that is no address', { message: 'x', code: 'EENVELOPE', command: 'API' }, 'address'],
  ['our network on a list', reply('RCPT TO', '554 5.7.1 Blocked'), 'mail'],
  ['a full mailbox for good', reply('RCPT TO', '552 5.2.2 Full'), 'mail'],
  ['a text taken for spam', reply('DATA', '554 Spam'), 'mail'],
  ['greylisting', reply('RCPT TO', '451 4.7.1 Try again'), 'again'],
  ['a busy server', reply('DATA', '421 Busy'), 'again'],
  ['silence', { message: 'x', code: 'ETIMEDOUT', command: 'CONN' }, 'again'],
  ['a lost connection', { message: 'x', code: 'ECONNECTION', command: 'CONN' }, 'again'],
  ['a sender that may not send', reply('MAIL FROM', '550 5.7.60 Not yours'), 'server'],
  ['a wrong password', { message: 'x', code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'server'],
])('%s', (_name, error, verdict) => {
  expect(verdictOf(error)).toBe(verdict);
});
