import { domainToASCII, domainToUnicode } from 'node:url';

const withDomain = (address: string, form: (domain: string) => string): string => {
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at + 1) + form(address.slice(at + 1));
};

const isAscii = (text: string): boolean => [...text].every((one) => one.codePointAt(0)! < 0x80);

/**
 * An e-mail address as it is stored: without blanks around it, its domain in punycode and small letters without a last
 * dot. Browsers send some fields so and others as typed. What is no domain stays as it is.
 */
export const storedEmail = (text: string): string =>
  withDomain(text.trim(), (domain) => {
    const bare = domain.replace(/[.\u3002]$/u, '');
    return isAscii(bare) ? bare.toLowerCase() : domainToASCII(bare) || bare;
  });

/** An e-mail address as people read it: its domain in the letters of its language. */
export const readableEmail = (address: string): string =>
  withDomain(address, (domain) => domainToUnicode(domain) || domain);

/** Every form in which an address may be stored: those from before it had one form are found too. */
export const storedForms = (text: string): string[] => {
  const stored = storedEmail(text);
  return [...new Set([stored, readableEmail(stored), text.trim()])];
};
