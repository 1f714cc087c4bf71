import { ClassFileError, type ConstantPool, type MethodCode, numberAt } from './class-file.ts';

/** The instructions of the Java virtual machine by code. They are in chapter 6 of its specification. */
const names =
  `nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1
fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload dload aload
iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3
dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload
istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3
fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3
iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap
iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg
ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f
i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge
if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn lreturn freturn dreturn areturn
return getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic invokeinterface invokedynamic
new newarray anewarray arraylength athrow checkcast instanceof monitorenter monitorexit wide multianewarray ifnull
ifnonnull goto_w jsr_w`
    .split(/\s+/)
    .filter(Boolean);

const codeOf = Object.fromEntries(names.map((name, code) => [name, code]));
const code = (name: string): number => codeOf[name]!;

/** Bytes of operands; those of switches and `wide` depend on what follows. */
const operands = new Uint8Array(names.length);
const give = (bytes: number, list: string): void => {
  for (const name of list.split(' ')) operands[code(name)] = bytes;
};
give(1, 'bipush ldc iload lload fload dload aload istore lstore fstore dstore astore ret newarray');
give(
  2,
  'sipush ldc_w ldc2_w iinc ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt',
);
give(
  2,
  'if_icmple if_acmpeq if_acmpne goto jsr getstatic putstatic getfield putfield invokevirtual invokespecial',
);
give(2, 'invokestatic new anewarray checkcast instanceof ifnull ifnonnull');
give(3, 'multianewarray');
give(4, 'invokeinterface invokedynamic goto_w jsr_w');
const [tableswitch, lookupswitch, wide] = ['tableswitch', 'lookupswitch', 'wide'].map(code) as [
  number,
  number,
  number,
];
const [ldc, ldc_w] = ['ldc', 'ldc_w'].map(code);
const [bipush, sipush, bastore, castore] = ['bipush', 'sipush', 'bastore', 'castore'].map(code);
/** Those whose first two bytes are the index of a constant. */
const named = new Set(
  [
    'ldc_w ldc2_w getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic',
    'invokeinterface invokedynamic new anewarray checkcast instanceof multianewarray',
  ]
    .join(' ')
    .split(' ')
    .map(code),
);
const [iconst_m1, iconst_5] = [code('iconst_m1'), code('iconst_5')];

export interface Instruction {
  code: number;
  /** Where it is in the bytes of the class file. */
  at: number;
}

/** The instructions of a method, in order. Throws `ClassFileError` at one that is unknown or cut off. */
export function* instructionsOf({ bytes }: ConstantPool, { start, end }: MethodCode): Generator<Instruction> {
  const wrong = () => new ClassFileError('instruction');
  for (let at = start; at < end; ) {
    const found = bytes[at]!;
    if (found >= names.length) throw wrong();
    yield { code: found, at };
    if (found === wide) at += bytes[at + 1] === code('iinc') ? 6 : 4;
    else if (found === tableswitch || found === lookupswitch) {
      const aligned = at + 4 - ((at - start) % 4);
      const fixed = found === lookupswitch ? 8 : 12;
      if (aligned + fixed > end) throw wrong();
      const low = bytes.readInt32BE(aligned + 4);
      const count = found === lookupswitch ? low * 2 : bytes.readInt32BE(aligned + 8) - low + 1;
      if (count < 0 || count > 131_072) throw wrong();
      at = aligned + fixed + count * 4;
    } else at += 1 + operands[found]!;
    if (at > end) throw wrong();
  }
}

/** Index of the constant that an instruction names, 0 for none. */
export const constantOf = ({ bytes }: ConstantPool, { code: found, at }: Instruction): number =>
  found === ldc ? bytes[at + 1]! : named.has(found) ? bytes.readUInt16BE(at + 1) : 0;

/** The number that an instruction loads; null when it loads none. */
export function numberLoaded(pool: ConstantPool, instruction: Instruction): number | null {
  const { code: found, at } = instruction;
  if (found >= iconst_m1 && found <= iconst_5) return found - iconst_m1 - 1;
  if (found === bipush) return pool.bytes.readInt8(at + 1);
  if (found === sipush) return pool.bytes.readInt16BE(at + 1);
  return found === ldc || found === ldc_w ? numberAt(pool, constantOf(pool, instruction)) : null;
}

/** Whether an instruction stores a byte or character in an array. */
export const storesCharacter = ({ code: found }: Instruction): boolean =>
  found === bastore || found === castore;

/** Name and operand of an instruction that names no constant. */
export function plainLine(pool: ConstantPool, { code: found, at }: Instruction): string {
  const name = names[found]!;
  if (operands[found] === 1 && found !== ldc) return `${name} ${pool.bytes.readInt8(at + 1)}`;
  return found === sipush ? `${name} ${pool.bytes.readInt16BE(at + 1)}` : name;
}

/** Name of an instruction. */
export const instructionName = ({ code: found }: Instruction): string => names[found]!;
