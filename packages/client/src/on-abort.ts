type Callback = () => void;

interface Subscribers {
  readonly callbacks: Set<Callback>;
  readonly onAbort: () => void;
}

/** Node warns of a leak at more than ten listeners on one signal, so all callbacks share one. */
const subscribersBySignal = new WeakMap<AbortSignal, Subscribers>();

/** Calls back when the signal is aborted. Call the returned function to unsubscribe. */
export function onAbort(signal: AbortSignal | undefined, callback: Callback): () => void {
  if (signal === undefined) return () => {};
  const { callbacks, onAbort } = subscribersBySignal.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', onAbort);
    subscribersBySignal.delete(signal);
  };
}

function listen(signal: AbortSignal): Subscribers {
  const callbacks = new Set<Callback>();
  const onAbort = () => {
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', onAbort);
  const subscribers = { callbacks, onAbort };
  subscribersBySignal.set(signal, subscribers);
  return subscribers;
}
