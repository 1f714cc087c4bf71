import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';

/** What the program `zstd` does, by Node alone: `zstd.ts LEVEL` or `zstd.ts -d`, from standard input to standard output. */
const [, , what] = process.argv;
const codec =
  what === '-d'
    ? createZstdDecompress()
    : createZstdCompress({
        params: {
          [constants.ZSTD_c_compressionLevel]: Number(what),
          [constants.ZSTD_c_checksumFlag]: 1,
        },
      });
pipeline(process.stdin, codec, process.stdout).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
