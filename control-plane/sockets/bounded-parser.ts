import { Decoder, Encoder } from 'socket.io-parser';
import { whyTooMuchJson } from '#db/platform/runtime/json-bounds.ts';

/** Closes the connection of whoever sends a message that is nested too deep: parsing it would keep all others waiting. */
class BoundedDecoder extends Decoder {
  override add(message: unknown): void {
    const problem = typeof message === 'string' ? whyTooMuchJson(message) : null;
    if (problem) throw new Error(`a message ${problem}`);
    super.add(message);
  }
}

/** The parser of the product's sockets: the usual one, with a bound of depth. */
export const boundedParser = { Encoder, Decoder: BoundedDecoder };
