import type { RedisLink } from './redis-link.ts';

/**
 * The names of a store in Redis. Stores that share a Redis have different ids. All names of a subject
 * share a hash tag, so that a cluster keeps them on one node.
 */
export class KeyNames {
  readonly #storeId: string;

  constructor(storeId: string) {
    this.#storeId = storeId;
  }

  usage(subject: string): string {
    return `animal-store:${this.#storeId}:{${subject}}:usage`;
  }

  penalty(subject: string, keyId: number): string {
    return `animal-store:${this.#storeId}:{${subject}}:key:${keyId}`;
  }
}

/** A connection, and the names of the store on it. */
export interface NamedLink {
  readonly link: RedisLink;
  readonly names: KeyNames;
}
