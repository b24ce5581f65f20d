import { useEffect, useState } from 'preact/hooks';
import { KeyField, type KeyFieldProps, type Quota } from '../key-field.tsx';
import { apiKey } from './key-store.ts';
import { quota } from './quota.ts';
import { useShared } from './shared.ts';

export function LiveKeyField(props: KeyFieldProps) {
  const key = useShared(apiKey, '');
  const [isShown, setShown] = useState(false);
  const current = useCountdown(useShared(quota, undefined));
  return (
    <KeyField
      {...props}
      value={key}
      isShown={isShown}
      quota={current}
      onInput={({ currentTarget }) => apiKey.set(readKey(currentTarget.value))}
      onToggle={() => setShown(!isShown)}
      onClear={() => {
        apiKey.set('');
        setShown(false);
        focusKeyField();
      }}
    />
  );
}

/** A key has no white space, but a paste may: a line break becomes a space. */
function readKey(text: string): string {
  return text.replace(/^\s*Bearer\s|\s/gi, '');
}

export function focusKeyField(): void {
  document.getElementById('api-key')?.focus();
}

/** The quota a second later, every second until its window ends. */
function useCountdown(latest: Quota | undefined): Quota | undefined {
  const [secondsSince, setSecondsSince] = useState(0);
  useEffect(() => {
    setSecondsSince(0);
    if (latest === undefined) return;
    const startedAt = performance.now();
    const timer = setInterval(() => {
      const seconds = (performance.now() - startedAt) / 1000;
      setSecondsSince(seconds);
      if (!(seconds < latest.secondsLeft)) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [latest]);
  return latest && { ...latest, secondsLeft: latest.secondsLeft - secondsSince };
}
