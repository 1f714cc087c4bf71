/**
 * Adds a style sheet (the address of an import with `?url`) and waits until it applies, so that what needs it can be shown
 * later than the page. One that cannot be loaded is done without.
 */
export async function lateStyle(href: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  await new Promise((done) => {
    link.addEventListener('load', done);
    link.addEventListener('error', done);
    document.head.append(link);
  });
}
