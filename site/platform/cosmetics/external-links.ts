/** Whether `link` leads to a web address of another origin than `origin`. Downloads do not. */
export const leaves = (link: { href: string; download: string | null }, origin: string): boolean =>
  /^https?:\/\//.test(link.href) && link.download === null && new URL(link.href).origin !== origin;
