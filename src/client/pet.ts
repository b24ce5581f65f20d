export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** An animal to add. */
export interface NewPet {
  /** 1 to 255 characters. */
  readonly name: string;
  /** Any int64; a `number` will do for as long as it is exact. */
  readonly categoryId: bigint | number;
  /** `available` when left out. */
  readonly status?: PetStatus | undefined;
}

/** An animal of the store. */
export interface Pet {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: PetStatus;
}
