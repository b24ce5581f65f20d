export const SLOT_COUNT = 16_384;

/** The slot of a Redis Cluster that has this name: CRC-16/XMODEM of the hash tag, if there is one. */
export function hashSlot(name: string): number {
  const tag = /^[^{]*\{([^}]+)\}/.exec(name)?.[1] ?? name;
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
    crc &= 0xffff;
  }
  return crc % SLOT_COUNT;
}
