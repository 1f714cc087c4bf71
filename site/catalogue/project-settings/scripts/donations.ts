/** Shows one empty row for another donation link at a time, and the service that the address of each belongs to. */
const list = document.querySelector<HTMLElement>('[data-donations]');
const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].map((row) => ({
  row,
  url: row.querySelector('input')!,
  service: row.querySelector('select')!,
}));

function update(): void {
  const last = rows.findLastIndex(({ url }) => url.value !== '');
  for (const [index, { row }] of rows.entries()) row.hidden = index > last + 1;
}

for (const { url, service } of rows)
  url.addEventListener('change', async () => {
    const { donationPlatformOf } = await import('../donation-platform.ts');
    service.value = URL.canParse(url.value) ? donationPlatformOf(url.value) : '';
    service.dispatchEvent(new Event('change', { bubbles: true }));
  });
list?.addEventListener('input', update);
list?.closest('form')?.addEventListener('reset', () => setTimeout(update)); // after the fields are back
update();

export {};
