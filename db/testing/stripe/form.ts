/** A body as Stripe takes it, `a[b][c]=d`, with its names flat: `a[b][c]`. */
export const formOf = (text: string): Map<string, string> => new Map(new URLSearchParams(text));

/** The parameters that the simulator knows; any other is refused, as Stripe does. */
const known: Record<string, RegExp> = {
  'POST /v1/customers': /^metadata\[\w+\]$/,
  'POST /v1/setup_intents': /^(customer|usage|allowed_payment_method_types\[\d\])$/,
  'GET /v1/setup_intents/:id': /^expand\[\d\]$/,
  'POST /v1/payment_intents':
    /^(amount|currency|customer|payment_method|confirm|off_session|use_stripe_sdk|allowed_payment_method_types\[\d\]|automatic_payment_methods\[(enabled|allow_redirects)\]|metadata\[\w+\])$/,
  'GET /v1/payment_intents': /^(customer|created\[(gte|lt)\]|limit|starting_after)$/,
  'GET /v1/balance_transactions': /^(created\[(gte|lt)\]|limit|starting_after|expand\[\d\])$/,
  'DELETE /v1/customers/:id': /^$/,
  'GET /v1/payment_intents/:id': /^expand\[\d\]$/,
  'POST /v1/payment_intents/:id/confirm': /^(payment_method|use_stripe_sdk)$/,
  'POST /v1/payment_intents/:id/cancel': /^cancellation_reason$/,
  'POST /v1/payment_methods/:id/detach': /^$/,
  'POST /v1/refunds': /^(payment_intent|amount|metadata\[\w+\])$/,
  'GET /v1/refunds': /^(payment_intent|created\[(gte|lt)\]|limit|starting_after)$/,
  'GET /v1/disputes/:id': /^$/,
};

/** The route of a request with the id in its path, or null. */
export function routeOf(method: string, path: string): { route: string; id: string } | null {
  const [, id = ''] = /^\/v1\/\w+\/(\w+)/.exec(path) ?? [];
  const route = `${method} ${id ? path.replace(id, ':id') : path}`;
  return route in known ? { route, id } : null;
}

/** The first parameter that the route does not know, or null. */
export const strangerIn = (route: string, form: Map<string, string>): string | null =>
  [...form.keys()].find((name) => !known[route]!.test(name)) ?? null;

/** The `metadata` of a form. */
export const metadataOf = (form: Map<string, string>): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      return key ? [[key, value]] : [];
    }),
  );
