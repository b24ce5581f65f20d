import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PlanInfo, Session } from './api.ts';

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
