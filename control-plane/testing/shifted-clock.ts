/** Preloaded into a process of a test (`--import`): its clock is SHIFT_MS off, as on a machine whose clock is wrong. */
const shift_ms = Number(process.env.SHIFT_MS);
const Real = Date;
const shifted = () => Real.now() + shift_ms;

globalThis.Date = class extends Real {
  // biome-ignore lint/suspicious/noExplicitAny: the constructor of Date takes anything
  constructor(...given: any[]) {
    super(...((given.length === 0 ? [shifted()] : given) as []));
  }
  static override now = shifted;
} as DateConstructor;
