export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Undefined if the text is not an int64 in decimal digits. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? value : undefined;
}
