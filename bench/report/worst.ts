import type { Waits } from '../measure/background.ts';
import { short } from '../measure/statistics.ts';
import { table } from './page.ts';

/** The CPU time of a request, as a multiple of the CPU time of a getPet. */
export interface Cost {
  readonly title: string;
  readonly times: number;
  readonly most: number;
  /** For bodies in many pieces: the median time that another client's getPets took meanwhile, in milliseconds. */
  readonly othersMs?: number;
}

const MOST_OTHERS_MS = 5;

/** The longest waits of requests with and without work in the background, in milliseconds. */
export interface Wait {
  readonly title: string;
  readonly store: string;
  readonly seconds: number;
  readonly during: Waits;
  readonly without: Waits;
  /** How many milliseconds longer a request may wait with the work than it ever waited without any work. */
  readonly most: number;
}

const OPERATIONS = ['getPet', 'createPet'] as const;

export function worstToMarkdown(
  costs: readonly Cost[],
  waits: readonly Wait[],
  heading: string,
): string {
  const { content = [], arrival = [] } = Object.groupBy(costs, ({ othersMs }) =>
    othersMs === undefined ? 'content' : 'arrival',
  );
  const cells = ({ title, times, most }: Cost) => [title, short(times), String(most)];
  const ofRequests = table(['Request', 'Cost in getPets', 'Bound'], content.map(cells));
  const ofArrivals = table(
    [
      'createPet: the body arrives in',
      'Cost in getPets',
      'Bound',
      "another client's getPet meanwhile, median ms",
    ],
    arrival.map((cost) => [...cells(cost), short(cost.othersMs ?? 0)]),
  );
  const ofWork = table(
    [
      'Work in the background',
      'store',
      'duration',
      ...OPERATIONS.map((name) => `longest ${name}, ms (without)`),
    ],
    waits.map(({ title, store, seconds, during, without }) => [
      title,
      store,
      `${short(seconds)} s`,
      ...OPERATIONS.map((name) => `${Math.round(during[name])} (${Math.round(without[name])})`),
    ]),
  );
  return [heading, ofRequests, ofArrivals, ofWork].filter((section) => section !== '').join('\n\n');
}

/**
 * Describes the results that are above their bound. A wait is compared with the longest one of the whole run without
 * work, because the machine itself sometimes pauses, and may do so during any work.
 */
export function overBound(costs: readonly Cost[], waits: readonly Wait[]): string[] {
  return [
    ...costs
      .filter(({ times, most }) => times > most)
      .map(({ title, times, most }) => `${title}: ${short(times)} getPets, at most ${most}`),
    ...costs
      .filter(({ othersMs = 0 }) => othersMs > MOST_OTHERS_MS)
      .map(
        ({ title, othersMs = 0 }) =>
          `${title}: requests of other clients wait ${short(othersMs)} ms`,
      ),
    ...waits.flatMap(({ title, store, during, most }) =>
      OPERATIONS.flatMap((name) => {
        const longest = Math.max(...waits.map(({ without }) => without[name]));
        return during[name] - longest > most
          ? `${title} on ${store}: a ${name} took ${Math.round(during[name])} ms during it and up to ` +
              `${Math.round(longest)} ms without any work, at most ${most} ms more`
          : [];
      }),
    ),
  ];
}
