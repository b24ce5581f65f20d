// All names of a subject share a hash tag, so that a cluster keeps them on one node.

export function usageName(subject: string): string {
  return `animal-store:{${subject}}:usage`;
}

export function penaltyName(subject: string, keyId: number): string {
  return `animal-store:{${subject}}:key:${keyId}`;
}
