import { createHash } from 'node:crypto';
import {
  type ConstantPool,
  type MethodCode,
  membersOf,
  methodsOf,
  ownName,
  readConstants,
  textsOf,
} from './class-file.ts';
import { type Evidence, evidenceOfCall, evidenceOfText } from './evidence.ts';
import {
  type Instruction,
  instructionsOf,
  lineOf,
  memberUsed,
  numberLoaded,
  storesCharacter,
  textLoaded,
} from './instructions.ts';
import { type CodeRule, codeRules, type IssueType, isAtLeast, type Severity, scanLimits } from './rules.ts';

/** What was found in code. */
export interface CodeTrace {
  issue_type: IssueType;
  severity: Severity;
  /** The same for the same code, in whatever class and file. */
  key: string;
  /** `package.Class.method` */
  place: string;
  disassembly: string;
  /** What it is about: addresses, commands, names; at most 10, shortened. */
  values: string[];
}

interface MethodEvidence {
  method: MethodCode;
  evidence: Set<Evidence>;
  /** What each is about, and what it is evidence of. */
  values: Map<string, readonly Evidence[]>;
}

/** Reads the bytes of a class for what the rules look for. Throws `ClassFileError`. */
export function scanClass(bytes: Buffer): CodeTrace[] {
  const pool = readConstants(bytes);
  if (!isSuspicious(pool)) {
    ownName(pool); // the rest is only read where there is something to find
    return [];
  }
  const own = ownName(pool);
  const methods = methodsOf(pool).map((method) => evidenceIn(pool, method));
  const inClass = new Set(methods.flatMap(({ evidence }) => [...evidence]));
  const traces = new Map<string, CodeTrace>();
  for (const rule of codeRules) {
    for (const found of matches(rule, methods, inClass)) {
      const place = `${own.replaceAll('/', '.')}.${found.method.name}`;
      const slot = `${rule.type} ${found.method.start}`;
      const before = traces.get(slot);
      if (before && isAtLeast(before.severity, rule.severity)) continue;
      traces.set(slot, { ...traceOf(pool, rule, found, own), severity: rule.severity, place });
    }
  }
  return [...traces.values()];
}

/** Values that are kept of a method, and shown with a trace. */
const max_values = 200;
const shown_values = 10;

/** Whether code of the class may be about anything: no more is read of most classes. */
function isSuspicious(pool: ConstantPool): boolean {
  for (const name of membersOf(pool)) if (evidenceOfCall(name)) return true;
  for (const text of textsOf(pool)) if (evidenceOfText(text).length > 0) return true;
  // texts that are built of single characters leave none in the constants
  return pool.bytes.includes(newString, 10, 'latin1') && pool.bytes.includes('([B)V', 10, 'latin1');
}
const newString = 'java/lang/String';

const satisfies = (evidence: ReadonlySet<Evidence>, needs: CodeRule['needs']): boolean =>
  needs.every((need) =>
    typeof need === 'string' ? evidence.has(need) : need.some((one) => evidence.has(one)),
  );

/** The methods that a rule is about: those that satisfy it, or those with the first thing it needs in a class that does. */
function matches(
  rule: CodeRule,
  methods: MethodEvidence[],
  inClass: ReadonlySet<Evidence>,
): MethodEvidence[] {
  if (!satisfies(inClass, rule.needs)) return [];
  const needs = rule.within === 'method' ? rule.needs : rule.needs.slice(0, 1);
  return methods.filter(({ evidence }) => satisfies(evidence, needs));
}

function evidenceIn(pool: ConstantPool, method: MethodCode): MethodEvidence {
  const found: MethodEvidence = { method, evidence: new Set(), values: new Map() };
  const names = new Map<number, string>();
  const add = (text: string, kinds: readonly Evidence[]) => {
    for (const kind of kinds) found.evidence.add(kind);
    if (found.values.size < max_values) found.values.set(text.slice(0, 200), kinds);
  };
  const built = new BuiltText();
  for (const instruction of instructionsOf(pool, method)) {
    const member = memberUsed(pool, instruction, names);
    const call = member && evidenceOfCall(member);
    if (call) add(member, [call]);
    const text = textLoaded(pool, instruction);
    const kinds = text === null ? [] : evidenceOfText(text);
    if (kinds.length > 0) add(text!, kinds);
    built.follow(pool, instruction);
  }
  for (const text of built.texts()) {
    const kinds = evidenceOfText(text);
    if (kinds.length > 0 || hiddenName.test(text)) add(text, ['built_text', ...kinds]);
  }
  return found;
}

/** Names of classes and methods that nobody has to hide. */
const hiddenName =
  /^(?:java|javax|sun|jdk|net)[./][\w.$/]+$|^(?:defineClass|exec|openStream|openConnection|loadClass)$/;

/** Follows code that fills arrays of bytes or characters one by one, as `new String(new byte[] {...})` does. */
class BuiltText {
  readonly #texts: string[] = [];
  #text = '';
  #number: number | null = null;

  follow(pool: ConstantPool, instruction: Instruction): void {
    const number = numberLoaded(pool, instruction);
    if (number !== null) {
      this.#number = number;
      return;
    }
    if (storesCharacter(instruction) && this.#number !== null) {
      if (this.#text.length < 4096) this.#text += String.fromCharCode(this.#number & 0xffff);
    } else if (!isBetween(instruction)) this.#end();
    this.#number = null;
  }

  texts(): string[] {
    this.#end();
    return this.#texts;
  }

  #end(): void {
    if (this.#text.length >= 4 && this.#texts.length < 1000) this.#texts.push(this.#text);
    this.#text = '';
  }
}
/** `dup`, and conversions to byte and character, stand between the values of an array. */
const isBetween = ({ code }: Instruction): boolean => code === 89 || code === 145 || code === 146;

function traceOf(
  pool: ConstantPool,
  { type, needs }: CodeRule & { type: IssueType },
  { method, values: all }: MethodEvidence,
  own: string,
): Omit<CodeTrace, 'severity' | 'place'> {
  const wanted = new Set(needs.flat());
  const values = [...all]
    .filter(([, kinds]) => kinds.some((kind) => wanted.has(kind)))
    .map(([value]) => value)
    .slice(0, shown_values);
  const hash = createHash('sha256').update(
    `${type}\n${method.descriptor.replaceAll(`L${own};`, 'Lthis;')}\n`,
  );
  const lines: string[] = [];
  let length = 0;
  let first = -1;
  for (const instruction of instructionsOf(pool, method)) {
    const line = lineOf(pool, instruction, own);
    hash.update(`${line}\n`);
    const isEvidence = values.some((value) => line.includes(JSON.stringify(value).slice(1, -1)));
    if (isEvidence && first < 0) first = lines.length;
    if (first >= 0 && length > scanLimits.disassembly) continue; // only the hash needs the rest
    lines.push(line.slice(0, 300));
    length += first < 0 ? 0 : Math.min(line.length, 300) + 1;
  }
  const from = Math.max(0, first - 6);
  const shown = [...(from > 0 ? ['...'] : []), ...lines.slice(from)].join('\n');
  return {
    issue_type: type,
    key: hash.digest('hex'),
    disassembly: shown.slice(0, scanLimits.disassembly),
    values,
  };
}
