/** Whether a form's answer leads back to the page that is open, which then has `saved=1`. */
export function isThisPage(to: string): boolean {
  const [next, here] = [to, location.href].map((path) => new URL(path, location.href)) as [URL, URL];
  const isSaved = next.searchParams.get('saved') === '1';
  for (const url of [next, here]) {
    url.hash = '';
    for (const name of ['saved', 'error']) url.searchParams.delete(name);
  }
  return isSaved && next.href === here.href;
}
