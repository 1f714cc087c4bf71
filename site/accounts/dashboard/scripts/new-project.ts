import { slugFromName } from '#db/catalogue/projects/slug-from-name.ts';

/**
 * The address of a new project follows its name until it is edited by hand, and its type says how the address begins; also
 * what was typed and chosen before this ran.
 */
const name = document.querySelector<HTMLInputElement>('[name=name]');
const slug = document.querySelector<HTMLInputElement>('[name=slug]');
const prefix = document.querySelector<HTMLElement>('[data-prefix]');

if (name && slug) {
  const follows = () => slug.value === '' || slug.value === slugFromName(before);
  let before = name.value;
  name.addEventListener('input', () => {
    if (follows()) slug.value = slugFromName(name.value);
    before = name.value;
  });
  const fill = () => {
    if (slug.value === '') slug.value = slugFromName(name.value);
  };
  slug.addEventListener('change', fill);
  fill();
}
for (const radio of document.querySelectorAll<HTMLInputElement>('[name=type]')) {
  const show = () => {
    if (prefix && radio.checked)
      prefix.textContent = prefix.textContent!.replace(/(?<![^/])[^/]+\/$/, `${radio.value}/`);
  };
  radio.addEventListener('change', show);
  show();
}
