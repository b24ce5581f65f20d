import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import {
  connection as events,
  type PlanInfo,
  request,
  type Sample,
  type Session,
  withQuery,
} from './api.ts';

// All pages after the sign-in use these: facts about the service, and its live samples.

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This page needs a session');
  return session;
}

export function usePlan(name: string): PlanInfo {
  const { plans } = useSession();
  return (
    plans.find((plan) => plan.name === name) ?? { name, title: name, perMinute: null, perDay: null }
  );
}

export interface Live {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** The last hour, the oldest first. */
  readonly samples: readonly Sample[];
}

const NOTHING_YET: Live = { connection: 'connecting', samples: [] };
const HOUR_SAMPLES = 3_600;
const POLL_MS = 1_000;
/** A connection that is silent for this long is dead. */
const SILENCE_MS = 6_000;

/** Follows the samples of this instance, second by second. */
export function useLiveConnection(): Live {
  const [live, setLive] = useState(NOTHING_YET);

  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** The number of the last sample. 0 asks for the whole hour. */
    let after = 0;
    let wasLost = false;

    const poll = async () => {
      const path = withQuery('live', { after });
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(SILENCE_MS)]);
      try {
        const received = await request<readonly Sample[]>('GET', path, undefined, signal);
        const isWhole = after === 0;
        after = received.at(-1)?.number ?? after;
        setLive(({ samples }) => ({
          connection: 'live',
          samples: isWhole ? received : [...samples, ...received].slice(-HOUR_SAMPLES),
        }));
        if (wasLost) events.dispatchEvent(new Event('recovered'));
        wasLost = false;
      } catch {
        after = 0;
        wasLost = true;
        setLive(({ samples }) => ({ connection: 'lost', samples }));
      }
      if (!left.signal.aborted) timer = setTimeout(poll, POLL_MS);
    };

    poll();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, []);

  return live;
}
