/** A text of which no part is anywhere by chance. */
export const SECRET = 'xyzzy-plugh-7b1c9e';
