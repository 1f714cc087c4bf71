/**
 * Whether following `link` leaves the site `origin`: the web address of another site. What is only downloaded stays.
 */
export const leaves = (link: { href: string; download: string | null }, origin: string): boolean =>
  /^https?:\/\//.test(link.href) && link.download === null && new URL(link.href).origin !== origin;
