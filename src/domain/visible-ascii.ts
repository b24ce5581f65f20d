/** What a header carries unchanged everywhere: no spaces, no control characters. */
export const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
