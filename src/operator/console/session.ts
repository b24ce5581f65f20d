import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { connection as events, type PlanInfo, type Sample, type Session } from './api.ts';

// What all pages of an operator who is signed in share: facts about the service, and its live samples.

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
const RETRY_MS = 2_000;
/** A sample arrives each second. A connection that is silent for this long is dead. */
const SILENCE_MS = 6_000;

/** Follows the samples of this instance, and connects again whenever the connection is lost. */
export function useLiveConnection(): Live {
  const [live, setLive] = useState(NOTHING_YET);

  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasLost = false;
    let isUsed = true;

    const wait = (next: () => void, delayMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(next, delayMs);
    };
    const lose = () => {
      source?.close();
      wasLost = true;
      setLive(({ samples }) => ({ connection: 'lost', samples }));
      wait(connect, RETRY_MS);
    };
    const connect = async () => {
      // An EventSource does not say which status it got, and a 401 needs a sign-in, not a retry.
      const session = await fetch('api/session').catch(() => undefined);
      if (!isUsed) return;
      if (session?.status === 401) events.dispatchEvent(new Event('signed-out'));
      else if (session?.ok) listen();
      else lose();
    };
    const listen = () => {
      source = new EventSource('api/live');
      source.addEventListener('history', ({ data }) => {
        if (wasLost) events.dispatchEvent(new Event('recovered'));
        wasLost = false;
        setLive({ connection: 'live', samples: JSON.parse(data) });
        wait(lose, SILENCE_MS);
      });
      source.addEventListener('sample', ({ data }) => {
        const sample: Sample = JSON.parse(data);
        setLive(({ samples }) => ({
          connection: 'live',
          samples: [...samples.slice(1 - HOUR_SAMPLES), sample],
        }));
        wait(lose, SILENCE_MS);
      });
      source.addEventListener('error', lose);
      wait(lose, SILENCE_MS);
    };

    connect();
    return () => {
      isUsed = false;
      clearTimeout(timer);
      source?.close();
    };
  }, []);

  return live;
}
