/** Loads the widget of the captcha and puts its answer into the field `challenge`. A refused form asks again. */
interface Widget {
  render(
    place: HTMLElement,
    options: { sitekey: string; callback(answer: string): void; 'expired-callback'(): void },
  ): unknown;
  reset(id?: unknown): void;
  ready?(then: () => void): void;
}

/** The names under which services of this kind offer their widget. */
const found = (): Widget | undefined => {
  const { hcaptcha, turnstile, grecaptcha } = window as unknown as Record<string, Widget | undefined>;
  return hcaptcha ?? turnstile ?? grecaptcha;
};

function start(place: HTMLElement): void {
  const form = place.closest('form')!;
  const field = form.querySelector<HTMLInputElement>('[name=challenge]')!;
  const answer = (text: string) => {
    field.value = text;
  };
  const script = document.createElement('script');
  script.src = place.dataset.script!;
  script.addEventListener('load', () => {
    const widget = found();
    if (!widget) return;
    const show = () => {
      const id = widget.render(place, {
        sitekey: place.dataset.captcha!,
        callback: answer,
        'expired-callback': () => answer(''),
      });
      form.addEventListener('form:refused', () => {
        answer('');
        widget.reset(id);
      });
    };
    if (widget.ready) widget.ready(show);
    else show();
  });
  document.head.append(script);
}

for (const place of document.querySelectorAll<HTMLElement>('[data-captcha]')) start(place);
