import { removed } from './removed.ts';

/**
 * What secrets and personal data look like in logs, settings and commands, without what a name says (`withoutNamedSecrets`).
 * Every pattern takes linear time, which `redact.test.ts` measures.
 */

interface Replacement {
  pattern: RegExp;
  by: string;
}

const secrets: readonly Replacement[] = [
  // keys of SSH and TLS, also where line ends are written as \n
  {
    pattern:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    by: removed,
  },
  // user:password@ of an address
  { pattern: /(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/@"'<>]{1,300}@/gi, by: `$1${removed}@` },
  // the secret of a webhook of a chat
  { pattern: /(\/api\/(?:v\d{1,2}\/)?webhooks\/)\d{1,30}\/[\w-]{1,200}/gi, by: `$1${removed}` },
  { pattern: /(hooks\.slack\.com\/services\/)[\w/-]{1,200}/gi, by: `$1${removed}` },
  // tokens that are known by their form: of Cairn, GitHub, Slack, chat bots, clouds, and JWT
  { pattern: /\bmr[a-z]_[A-Za-z0-9]{16,200}/g, by: removed },
  {
    pattern: /\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|sk_live_|whsec_)[\w-]{10,300}/g,
    by: removed,
  },
  // begins where no word is before it: else each `-eyJ` would read 4,000 characters ahead
  { pattern: /(?<![\w-])eyJ[\w-]{5,4000}\.[\w-]{5,8000}(?:\.[\w-]{0,4000})?/g, by: removed },
  { pattern: /\b[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,45}\b/g, by: removed },
  {
    pattern:
      /(\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?)(?:(?:bearer|basic|token)\s{1,3})?[^\s"',<>]{1,4000}/gi,
    by: `$1${removed}`,
  },
  { pattern: /(\bbearer\s{1,3})[\w.~+/=-]{12,4000}/gi, by: `$1${removed}` },
  // commands of plugins that take passwords
  {
    pattern:
      /(\/(?:login|log|l|register|reg|changepassword|changepass|cp|unregister|unreg|authme|premium|2fa|totp)\s)(?!<removed>)[^\r\n]+/gi,
    by: `$1${removed}`,
  },
];

export const patterns = {
  secrets,
  email: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu,
  /** Not in a version such as `v1.2.3.4`, nor in the name of a file such as `mod-1.2.3.4.jar`. */
  ipv4: /(?<![\d.]|\bv)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\d|\.\d|\.(?:jar|zip|mrpack)\b|-[\w.+-]{1,80}\.(?:jar|zip|mrpack)\b)/g,
  /** What may be an IPv6 address: `ipv6In` says. */
  groups: /(?<![\da-f:])[\da-f:]{4,}/gi,
};
