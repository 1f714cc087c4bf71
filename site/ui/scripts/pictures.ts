/** A picture that does not load leaves its room and dashed stones, not a torn sheet. */
const known = '.pic, .shot, .face';

function stand(picture: HTMLImageElement): void {
  if (!picture.matches(known)) return;
  const place = document.createElement('span');
  place.className = `${picture.className} none`;
  place.style.cssText = picture.style.cssText;
  if (picture.alt) {
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', picture.alt);
  }
  picture.replaceWith(place);
}

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement) stand(target);
  },
  { capture: true },
);
// those that failed before this script came
for (const picture of [...document.images])
  if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) stand(picture);
