/** The whole name of a server; null while it has none, and where the site offers none. */
export const fullName = (subdomain: string | null, domain: string | null | undefined): string | null =>
  subdomain && domain ? `${subdomain}.${domain}` : null;
