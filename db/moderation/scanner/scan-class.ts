import { createHash } from 'node:crypto';
import {
  type ConstantPool,
  descriptorAt,
  type MethodCode,
  membersOf,
  ownName,
  readBody,
  readConstants,
  textsOf,
} from './class-file.ts';
import { type Evidence, evidenceOfCall, evidenceOfText } from './evidence.ts';
import {
  constantOf,
  type Instruction,
  instructionName,
  instructionsOf,
  numberLoaded,
  plainLine,
  storesCharacter,
} from './instructions.ts';
import { Operands } from './operands.ts';
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
  /** What each is about, what it is evidence of, and in which instruction it is. */
  values: Map<string, { kinds: readonly Evidence[]; place: number }>;
  /** The same for the same code; empty until it is asked for. */
  digest: string;
}

/** Reads the bytes of a class for what the rules look for. Throws `ClassFileError`. */
export function scanClass(bytes: Buffer): CodeTrace[] {
  const pool = readConstants(bytes);
  const own = ownName(pool);
  if (!isSuspicious(pool)) return []; // the rest is only read where there is something to find
  const body = readBody(pool);
  const operands = new Operands(pool, own, body.bootstraps);
  const methods = body.methods.map((method) => evidenceIn(pool, operands, method));
  const inClass = new Set(methods.flatMap(({ evidence }) => [...evidence]));
  const traces = new Map<string, CodeTrace>();
  for (const rule of codeRules) {
    for (const found of matches(rule, methods, inClass)) {
      const place = `${own.replaceAll('/', '.')}.${found.method.name}`;
      const slot = `${rule.type} ${found.method.start}`;
      const before = traces.get(slot);
      if (before && isAtLeast(before.severity, rule.severity)) continue;
      traces.set(slot, { ...traceOf(pool, operands, rule, found), severity: rule.severity, place });
    }
  }
  return [...traces.values()];
}

/** Values that are kept of a method, and shown with a trace. */
const max_values = 200;
const shown_values = 10;

/** Whether code of the class may be about anything: no more is read of most classes. */
function isSuspicious(pool: ConstantPool): boolean {
  for (const { index, name } of membersOf(pool)) {
    if (evidenceOfCall(name)) return true;
    // texts that are built of single characters leave none in the constants
    if (makesText.has(name) && /^\(\[[BC]/.test(descriptorAt(pool, index))) return true;
  }
  for (const text of textsOf(pool)) if (evidenceOfText(text).length > 0) return true;
  return false;
}
const makesText = new Set(['<init>', 'valueOf', 'copyValueOf'].map((name) => `java/lang/String.${name}`));

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

function evidenceIn(pool: ConstantPool, operands: Operands, method: MethodCode): MethodEvidence {
  const found: MethodEvidence = { method, evidence: new Set(), values: new Map(), digest: '' };
  const add = (text: string, kinds: readonly Evidence[], place: number) => {
    for (const kind of kinds) found.evidence.add(kind);
    const value = text.slice(0, 200);
    if (found.values.size < max_values && !found.values.has(value)) found.values.set(value, { kinds, place });
  };
  const built = new BuiltText();
  let place = 0;
  for (const instruction of instructionsOf(pool, method)) {
    for (const [value, kinds] of operands.found(constantOf(pool, instruction))) add(value, kinds, place);
    built.follow(pool, instruction, place++);
  }
  for (const { text, place: from } of built.texts()) {
    const kinds = evidenceOfText(text);
    if (kinds.length > 0 || hiddenName.test(text)) add(text, ['built_text', ...kinds], from);
  }
  return found;
}

/** Names of classes and methods that nobody has to hide. */
const hiddenName =
  /^(?:java|javax|sun|jdk|net)[./][\w.$/]+$|^(?:defineClass|exec|openStream|openConnection|loadClass)$/;

/** Follows code that fills arrays of bytes or characters one by one, as `new String(new byte[] {...})` does. */
class BuiltText {
  readonly #texts: Array<{ text: string; place: number }> = [];
  #text = '';
  #place = 0;
  #number: number | null = null;

  follow(pool: ConstantPool, instruction: Instruction, place: number): void {
    const number = numberLoaded(pool, instruction);
    if (number !== null) {
      this.#number = number;
      return;
    }
    if (storesCharacter(instruction) && this.#number !== null) {
      if (this.#text === '') this.#place = place;
      if (this.#text.length < 4096) this.#text += String.fromCharCode(this.#number & 0xffff);
    } else if (!isBetween(instruction)) this.#end();
    this.#number = null;
  }

  /** The texts, each with the instruction that stores its first character. */
  texts(): ReadonlyArray<{ text: string; place: number }> {
    this.#end();
    return this.#texts;
  }

  #end(): void {
    if (this.#text.length >= 4 && this.#texts.length < 1000)
      this.#texts.push({ text: this.#text, place: this.#place });
    this.#text = '';
  }
}
/** `dup`, and conversions to byte and character, stand between the values of an array. */
const isBetween = ({ code }: Instruction): boolean => code === 89 || code === 145 || code === 146;

function traceOf(
  pool: ConstantPool,
  operands: Operands,
  { type, needs }: CodeRule & { type: IssueType },
  found: MethodEvidence,
): Omit<CodeTrace, 'severity' | 'place'> {
  const wanted = new Set(needs.flat());
  const about = [...found.values].filter(([, { kinds }]) => kinds.some((kind) => wanted.has(kind)));
  found.digest ||= digestOf(pool, operands, found.method);
  return {
    issue_type: type,
    key: createHash('sha256').update(`${type}\n${found.digest}`).digest('hex'),
    disassembly: codeFrom(pool, operands, found.method, Math.min(...about.map(([, { place }]) => place))),
    values: about
      .slice(0, shown_values)
      .map(([value]) => gaps.reduce((text, gap) => text.replaceAll(gap, '…'), value)),
  };
}
/** Where a text that is put together has a part that is not known. */
const gaps = ['\u0001', '\u0002'];

function lineOf(pool: ConstantPool, operands: Operands, instruction: Instruction): string {
  const index = constantOf(pool, instruction);
  if (index === 0) return plainLine(pool, instruction);
  return `${instructionName(instruction)} ${operands.words(index)}`.trimEnd();
}

function digestOf(pool: ConstantPool, operands: Operands, method: MethodCode): string {
  const hash = createHash('sha256');
  let lines = `${operands.withoutOwn(method.descriptor)}\n`;
  for (const instruction of instructionsOf(pool, method)) {
    lines += `${lineOf(pool, operands, instruction)}\n`;
    if (lines.length < hashed_at_once) continue;
    hash.update(lines);
    lines = '';
  }
  return hash.update(lines).digest('hex');
}
const hashed_at_once = 16_384;

/** Instructions that are shown before the first that is evidence. */
const shown_before = 6;

/** The code of a method in lines, from a few before instruction `place`, within the limit. */
function codeFrom(pool: ConstantPool, operands: Operands, method: MethodCode, place: number): string {
  const from = Math.max(0, place - shown_before);
  const lines: string[] = from > 0 ? ['...'] : [];
  let length = 0;
  let at = -1;
  for (const instruction of instructionsOf(pool, method)) {
    if (++at < from) continue;
    const line = lineOf(pool, operands, instruction).slice(0, 300);
    lines.push(line);
    length += line.length + 1;
    if (length > scanLimits.disassembly) break;
  }
  return lines.join('\n').slice(0, scanLimits.disassembly);
}
