/** What the field `card` says where another card than the known ones is chosen and none is entered yet. */
export const another_card = 'another';
