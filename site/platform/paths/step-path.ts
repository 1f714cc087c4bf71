/** Where the button of a refusal (`RefusalStep.to`) leads; `back`: the local path that one leads back to which asks for it. */
export const stepPath = (to: string, back: string): string =>
  to.endsWith('redirect=') ? to + encodeURIComponent(back) : to;
