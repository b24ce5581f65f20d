import { type NewPet, PET_STATUSES } from '../domain/pet.ts';
import { seededRandom } from '../domain/seeded-random.ts';

const BATCH = 1_000;
const CATEGORIES = 12;

const NAMES = [
  ...['Bella', 'Luna', 'Max', 'Charlie', 'Milo', 'Coco', 'Rocky', 'Daisy', 'Simba', 'Nala'],
  ...['Oscar', 'Ruby', 'Felix', 'Pepper', 'Lola', 'Biscuit', 'Ziggy', 'Zoë', 'Pünktchen', 'Mochi'],
];
const EPITHETS = ['', '', '', ' Junior', ' the Brave', ' the Quiet', ' of the Hill', ' 🐾'];

/** Most pets of a shop are for sale. */
const STATUSES = [
  ...Array(6).fill(PET_STATUSES[0]),
  PET_STATUSES[1],
  ...Array(3).fill(PET_STATUSES[2]),
];

/** The same seed gives the same pets. */
export function* plausiblePets(count: number, seed: number): Iterable<readonly NewPet[]> {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  for (let done = 0; done < count; done += BATCH) {
    yield Array.from({ length: Math.min(BATCH, count - done) }, () => ({
      name: pick(NAMES) + pick(EPITHETS),
      categoryId: BigInt(1 + Math.floor(random() * CATEGORIES)),
      status: pick(STATUSES),
    }));
  }
}
